"""The same two routes over Protego, for comparison: fastapi_service.py RULES.json. Files are parsed once, before it listens."""

import json
import socket
import sys
from urllib.parse import urlsplit

import uvicorn
from fastapi import FastAPI, Request, Response
from protego import Protego

with open(sys.argv[1]) as file:
    files = {origin: Protego.parse(text) for origin, text in json.load(file).items()}
app = FastAPI()


def is_allowed(url: str) -> bool:
    scheme, host, *_ = urlsplit(url)
    return files[f"{scheme}://{host}"].can_fetch(url, "ExampleBot")


@app.get("/allowed")
async def allowed(url: str):
    return {"allowed": is_allowed(url)}


@app.post("/match")
async def match(request: Request):
    lines = (await request.body()).decode().splitlines()
    words = ("allowed\n" if is_allowed(url) else "disallowed\n" for url in lines)
    return Response("".join(words), media_type="text/plain")


listening = socket.socket()
listening.bind(("127.0.0.1", 0))
print(f"http://127.0.0.1:{listening.getsockname()[1]}", file=sys.stderr, flush=True)
uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listening])
