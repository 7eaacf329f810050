using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "worker", worker = .worker),
    (name = "internet", network = (allow = ["private", "public"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:8787", http = (), service = "worker")],
);

const worker :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "dist/worker.js"),
    (name = "robotrie.simd.wasm", wasm = embed "dist/robotrie.simd.wasm"),
    (name = "robotrie-index.simd.wasm", wasm = embed "dist/robotrie-index.simd.wasm"),
  ],
  bindings = [(name = "SITE", fromEnvironment = "SITE")],
  compatibilityDate = "2026-01-01",
);
