import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
// One table for the service and for scripts/setup.mjs, which reads the same file: that script must run on a Node without
// TypeScript. Its `check` member (arguments that must exit 0) is for the set-up only. A row has a `command`, or a `library`.
import table from './tools.json' with { type: 'json' };

export type ToolName = 'ffmpeg' | 'ffprobe' | 'perl' | 'heifConvert' | 'libsmbclient' | 'smbclient';

/** Absolute paths of the system programs and libraries that were found; a missing member is a missing one. */
export type Tools = { readonly [name in ToolName]?: string };

export type MissingCapability = {
  /** The command or library that was looked for, such as `heif-convert`. */
  readonly tool: string;
  /** What the installation cannot do without it, in words for an operator. */
  readonly capability: string;
  /** One command line for Debian and Ubuntu. */
  readonly howToGet: string;
};

const TOOL_NAMES: readonly ToolName[] = ['ffmpeg', 'ffprobe', 'perl', 'heifConvert', 'libsmbclient', 'smbclient'];

/** Debian's folders first, then those of other Linux systems. The set-up looks at the same ones. */
const LIBRARY_FOLDERS: readonly string[] = [
  `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`,
  '/usr/lib64',
  '/usr/lib',
  '/usr/local/lib',
];

/**
 * Looks each system program up in `path` (the value of the PATH variable); the first executable file wins. Relative
 * entries of `path` are ignored: what they mean changes with the working directory. Libraries are looked up in
 * `libraryFolders`. Nothing is started or loaded.
 */
export function findTools(options: { readonly path: string; readonly libraryFolders?: readonly string[] }): Tools {
  const folders = options.path.split(delimiter).filter((folder) => isAbsolute(folder));
  const { libraryFolders = LIBRARY_FOLDERS } = options;
  const found: { [name in ToolName]?: string } = {};
  for (const name of TOOL_NAMES) {
    const { command, library } = rowOf(name);
    const file =
      library === undefined
        ? folders.map((folder) => join(folder, command)).find((path) => isFile(path, constants.X_OK))
        : libraryFolders.map((folder) => join(folder, library)).find((path) => isFile(path, constants.R_OK));
    if (file !== undefined) found[name] = file;
  }
  return found;
}

/** The capabilities that `tools` lacks, in the order of the table, each with the command that brings it. */
export function missingCapabilities(tools: Tools): MissingCapability[] {
  return TOOL_NAMES.filter((name) => tools[name] === undefined).map((name) => {
    const row = rowOf(name);
    return { tool: toolName(row), capability: row.capability, howToGet: `apt-get install ${row.package}` };
  });
}

/** All that were looked for, by the names of {@link MissingCapability}. */
export function allTools(): readonly string[] {
  return TOOL_NAMES.map((name) => toolName(rowOf(name)));
}

type Row = (typeof table)[number];

function toolName({ command, library }: Row): string {
  return library === undefined ? command : library.replace(/\.so\..*$/, '');
}

function rowOf(name: ToolName): Row {
  const row = table.find((candidate) => candidate.key === name);
  if (!row) throw new Error(`expected a row for ${name} in tools.json`);
  return row;
}

function isFile(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
