import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
// One table for the service and for scripts/setup.mjs, which reads the same file: that script must run on a Node without
// TypeScript. Its `check` member (arguments that must exit 0) is for the set-up only.
import table from './tools.json' with { type: 'json' };

export type ToolName = 'ffmpeg' | 'ffprobe' | 'perl' | 'heifConvert';

/** Absolute paths of the system programs that were found; a missing member is a missing program. */
export type Tools = { readonly [name in ToolName]?: string };

export type MissingCapability = {
  /** The command that was looked for, such as `heif-convert`. */
  readonly tool: string;
  /** What the installation cannot do without it, in words for an operator. */
  readonly capability: string;
  /** One command line for Debian and Ubuntu. */
  readonly howToGet: string;
};

const TOOL_NAMES: readonly ToolName[] = ['ffmpeg', 'ffprobe', 'perl', 'heifConvert'];

/**
 * Looks each system program up in `path` (the value of the PATH variable); the first executable file wins. Relative
 * entries of `path` are ignored: what they mean changes with the working directory. Nothing is started.
 */
export function findTools(options: { readonly path: string }): Tools {
  const folders = options.path.split(delimiter).filter((folder) => isAbsolute(folder));
  const found: { [name in ToolName]?: string } = {};
  for (const name of TOOL_NAMES) {
    const file = folders.map((folder) => join(folder, rowOf(name).command)).find((path) => isExecutable(path));
    if (file !== undefined) found[name] = file;
  }
  return found;
}

/** The capabilities that `tools` lacks, in the order of the table, each with the command that brings it. */
export function missingCapabilities(tools: Tools): MissingCapability[] {
  return TOOL_NAMES.filter((name) => tools[name] === undefined).map((name) => {
    const row = rowOf(name);
    return { tool: row.command, capability: row.capability, howToGet: `apt-get install ${row.package}` };
  });
}

function rowOf(name: ToolName): (typeof table)[number] {
  const row = table.find((candidate) => candidate.key === name);
  if (!row) throw new Error(`expected a row for ${name} in tools.json`);
  return row;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
