/**
 * `robotrie completion`: scripts for bash, zsh and fish. They are made of commander's own table of commands and options, so a new option needs
 * nothing here. program.ts loads all commands for it.
 */
import { Argument, type Command, type Option } from "commander";
import { write } from "./output/output.ts";

/**
 * A command as shells complete it. Only these facts, so that a script needs no knowledge of a
 * command.
 */
interface Completed {
	/** With that of the command which it is a subcommand of: "audit merge". */
	readonly name: string;
	readonly summary: string;
	readonly options: readonly Option[];
	/** What its arguments can be; empty if they are files or URLs. */
	readonly choices: readonly string[];
	/** What can stand in place of its first argument. */
	readonly subcommands: readonly string[];
}

const scripts: Readonly<
	Record<string, (commands: readonly Completed[]) => string>
> = { bash, zsh, fish };

export function addCompletion(program: Command): void {
	program
		.command("completion")
		.usage("<shell>")
		.description(
			"Writes a script that completes commands, options and their values in bash, zsh or fish.",
		)
		.addArgument(
			new Argument("<shell>", "the shell").choices(Object.keys(scripts)),
		)
		.addHelpText(
			"after",
			`
Exit codes: 0 done; 2 another shell.

Examples:
  robotrie completion bash > ~/.local/share/bash-completion/completions/robotrie
  robotrie completion zsh > "\${fpath[1]}/_robotrie"
  robotrie completion fish > ~/.config/fish/completions/robotrie.fish`,
		)
		.action((shell: string) => write(scripts[shell]?.(tableOf(program)) ?? ""));
}

function tableOf(program: Command): Completed[] {
	const names = program.commands.map((command) => command.name());
	const entriesOf = (command: Command, above = ""): Completed[] => {
		const name = `${above}${command.name()}`;
		const entry = {
			name,
			summary: command.summary() || command.description(),
			options: command.options.filter(({ hidden }) => !hidden),
			choices:
				name === "help"
					? names
					: (command.registeredArguments[0]?.argChoices ?? []),
			subcommands: command.commands.map((each) => each.name()),
		};
		const below = command.commands.flatMap((each) =>
			entriesOf(each, `${name} `),
		);
		return [entry, ...below];
	};
	return program.commands.flatMap((command) => entriesOf(command));
}

const isTop = ({ name }: Completed) => !name.includes(" ");

/** The pattern of a case of bash and zsh: all subcommands, with the commands above them. */
function subcommandsOf(commands: readonly Completed[]): string {
	return commands
		.filter((command) => !isTop(command))
		.map(({ name }) => quoted(name))
		.join("|");
}

/** "-r" and "--robots", those that there are. */
function flagsOf({ short, long }: Option): string[] {
	return [short, long].flatMap((flag) => flag ?? []);
}

/** A word or text in single quotes, for bash and zsh. */
function quoted(text: string): string {
	return `'${text.replaceAll("'", "'\\''")}'`;
}

/** COMPREPLY by compgen: bash has no descriptions, so only words are given. */
function bash(commands: readonly Completed[]): string {
	const words = (list: readonly string[]) =>
		`COMPREPLY=($(compgen -W ${quoted(list.join(" "))} -- "$cur"))`;
	const values = commands.flatMap(({ name, options }) =>
		options.flatMap((option) => {
			// After an option that takes a value, bash completes that value: one of a list, or a file.
			if (!option.required && !option.optional) return [];
			const names = flagsOf(option).map((flag) => quoted(`${name} ${flag}`));
			const { argChoices } = option;
			return [
				`    ${names.join("|")}) ${argChoices ? `${words(argChoices)}; ` : ""}return ;;`,
			];
		}),
	);
	const flags = commands.map(
		({ name, options }) =>
			`      ${quoted(name)}) ${words(options.flatMap(flagsOf).concat("--help"))} ;;`,
	);
	const choices = commands.flatMap(({ name, choices, subcommands }) => [
		...(choices.length > 0 ? [`    ${name}) ${words(choices)} ;;`] : []),
		...(subcommands.length > 0
			? [`    ${name}) ((COMP_CWORD == 2)) && ${words(subcommands)} ;;`]
			: []),
	]);
	return `# Completion of robotrie for bash.
_robotrie() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    ${words(
			commands
				.filter(isTop)
				.map(({ name }) => name)
				.concat("--help", "--version"),
		)}
    return
  fi
  case "$command \${COMP_WORDS[2]}" in
    ${subcommandsOf(commands)}) ((COMP_CWORD > 2)) && command+=" \${COMP_WORDS[2]}" ;;
  esac
  case "$command $prev" in
${values.join("\n")}
  esac
  # Options are completed only after a dash, or they would crowd out files.
  if [[ $cur == -* ]]; then
    case $command in
${flags.join("\n")}
    esac
    return
  fi
  case $command in
${choices.join("\n")}
  esac
}
complete -o default -F _robotrie robotrie
`;
}

/** zsh shows descriptions, in which brackets and colons are its own signs. */
function zsh(commands: readonly Completed[]): string {
	const plain = (text: string) => text.replace(/[[\]:\\]/g, "\\$&");
	const spec = (option: Option) => {
		const flags = flagsOf(option);
		const value =
			option.required || option.optional
				? `:value:${option.argChoices ? `(${option.argChoices.join(" ")})` : "_files"}`
				: "";
		const text = quoted(`[${plain(option.description)}]${value}`);
		// Both spellings of an option; `*` has it offered again after it was given.
		return flags.map((flag) => `        ${quoted(`*${flag}`)}${text}`);
	};
	const cases = commands.map(({ name, options, choices, subcommands }) => {
		const first = `1:argument:{compadd ${subcommands.join(" ")}; _files}`;
		const all = `*:argument:${choices.length > 0 ? `(${choices.join(" ")})` : "_files"}`;
		const args = [...(subcommands.length > 0 ? [first] : []), all];
		const specs = args.map((arg) => `        ${quoted(arg)}`);
		return `    ${quoted(name)})
      _arguments \\
${[...options.flatMap(spec), ...specs].join(" \\\n")}
      ;;`;
	});
	const described = commands
		.filter(isTop)
		.map(({ name, summary }) => quoted(`${name}:${plain(summary)}`));
	return `#compdef robotrie
# Completion of robotrie for zsh.
_robotrie() {
  local -a commands
  commands=(
    ${described.join("\n    ")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case "$command $words[2]" in
    ${subcommandsOf(commands)})
      if (( CURRENT > 2 )); then
        command+=" $words[2]"
        shift words
        (( CURRENT-- ))
      fi
      ;;
  esac
  case $command in
${cases.join("\n")}
  esac
}
# Works as a file in fpath, where zsh calls it as the function, and when it is sourced.
if [[ $funcstack[1] == _robotrie ]]; then
  _robotrie "$@"
else
  compdef _robotrie robotrie
fi
`;
}

/** fish splits descriptions at line feeds. */
function fish(commands: readonly Completed[]): string {
	const text = (words: string) =>
		`'${words.replace(/[\\']/g, "\\$&").replaceAll("\n", " ")}'`;
	const seen = (names: string) => `__fish_seen_subcommand_from ${names}`;
	const lines = commands.flatMap((command) => {
		const { name, summary, options, choices, subcommands } = command;
		const [above = "", own = ""] = name.split(" ");
		// Options belong to one command, so each line is bound to it.
		const conditions = [
			...name.split(" ").map(seen),
			...(subcommands.length > 0 ? [`not ${seen(subcommands.join(" "))}`] : []),
		];
		const within = `complete -c robotrie -n '${conditions.join("; and ")}'`;
		return [
			isTop(command)
				? `complete -c robotrie -n __fish_use_subcommand -f -a ${name} -d ${text(summary)}`
				: `complete -c robotrie -n '${seen(above)}' -a ${own} -d ${text(summary)}`,
			...(choices.length > 0
				? [`${within} -f -a ${text(choices.join(" "))}`]
				: []),
			...options.map((option) => {
				const { short, long, description, argChoices } = option;
				const value = argChoices
					? ` -x -a ${text(argChoices.join(" "))}`
					: option.required
						? " -r"
						: "";
				return `${within}${short ? ` -s ${short.slice(1)}` : ""}${long ? ` -l ${long.slice(2)}` : ""}${value} -d ${text(description)}`;
			}),
		];
	});
	return `# Completion of robotrie for fish.\n${lines.join("\n")}\n`;
}
