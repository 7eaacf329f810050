// What scripts have in common that take arguments.
import { Command, InvalidArgumentError } from "commander";

/**
 * A script's command: options and arguments are added to it, and `parse()` reads them. --help lists them; a wrong one is told in a
 * sentence, with exit code 2.
 */
export function command(name, about) {
	return new Command(name)
		.description(about)
		.helpOption("--help", "show this help")
		.showHelpAfterError("--help lists the options.")
		.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
}

/** For options: a whole number from 1 up. */
export function count(text) {
	if (!/^[1-9]\d{0,14}$/.test(text))
		throw new InvalidArgumentError("Expected a whole number from 1 up.");
	return Number(text);
}

/** For options: a number above 0. */
export function amount(text) {
	if (!/^[\d.]+$/.test(text) || !(Number(text) > 0))
		throw new InvalidArgumentError("Expected a number above 0.");
	return Number(text);
}
