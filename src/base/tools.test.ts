import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import table from './tools.json' with { type: 'json' };
import { allTools, findTools, missingCapabilities } from './tools.ts';

describe('system tools', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'touchline-tools-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const place = (name: string, mode: number): string => {
    const path = join(folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, '#!/bin/sh\n');
    chmodSync(path, mode);
    return path;
  };

  test('are found at their absolute path in the first folder of PATH that has them', () => {
    const first = place('a/ffmpeg', 0o755);
    place('b/ffmpeg', 0o755);
    const heif = place('b/heif-convert', 0o755);
    const path = [join(folder, 'a'), join(folder, 'b')].join(delimiter);
    expect(findTools({ path, libraryFolders: [] })).toEqual({ ffmpeg: first, heifConvert: heif });
  });

  test('that are libraries are found in the first folder of libraries that has them', () => {
    const library = place('b/libsmbclient.so.0', 0o644);
    const libraryFolders = [join(folder, 'a'), join(folder, 'b')];
    expect(findTools({ path: '', libraryFolders })).toEqual({ libsmbclient: library });
    expect(findTools({ path: libraryFolders.join(delimiter), libraryFolders: [] })).toEqual({});
  });

  test('are not found as a folder or below a relative PATH entry', () => {
    mkdirSync(join(folder, 'ffprobe'));
    expect(findTools({ path: [folder, 'relative', ''].join(delimiter), libraryFolders: [] })).toEqual({});
  });

  test('are not found as a file without execute permission', () => {
    place('perl', 0o644);
    expect(findTools({ path: folder, libraryFolders: [] })).toEqual({});
  });

  test('that are missing are named with the capability that is off and the way to get it', () => {
    const missing = missingCapabilities({
      ffmpeg: '/usr/bin/ffmpeg',
      ffprobe: '/usr/bin/ffprobe',
      perl: '/usr/bin/perl',
      libsmbclient: '/usr/lib/libsmbclient.so.0',
      smbclient: '/usr/bin/smbclient',
    });
    expect(missing).toEqual([
      {
        tool: 'heif-convert',
        capability: 'HEIC photos with their colour profile',
        howToGet: 'apt-get install libheif-examples',
      },
    ]);
  });

  test('each have exactly one row in the table', () => {
    expect(table.map((row) => row.key)).toEqual([
      'ffmpeg',
      'ffprobe',
      'perl',
      'heifConvert',
      'libsmbclient',
      'smbclient',
    ]);
    expect(missingCapabilities({}).map(({ tool }) => tool)).toEqual(allTools());
  });
});
