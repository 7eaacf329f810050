import type { Command } from "commander";

/**
 * A script's command: options and arguments are added to it, and `parse()` reads them. --help lists them; a wrong one is told in a
 * sentence, with exit code 2.
 */
export function command(name: string, about: string): Command;

/** For options: a whole number from 1 up. */
export function count(text: string): number;

/** For options: a number above 0. */
export function amount(text: string): number;
