import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AZURE_NAMES, type NameRules, POSIX_NAMES, S3_NAMES, WINDOWS_NAMES } from './name-rules.ts';
import { parsePathTemplate, withSuffix } from './path-template.ts';
import { type PathValues, TOKENS } from './path-tokens.ts';
import { isSafePath } from './safe-name.ts';

const VALUES: PathValues = {
  org: 'orlando',
  media: { id: 42, name: 'Šeško Tor', ext: 'jpg', type: 'photo' },
  quality: 'photographer',
  width: 6000,
  height: 4000,
  sha256: 'ab'.repeat(32),
  capturedAt: new Date('2026-03-14T23:30:05Z'),
  offsetMinutes: 60,
  createdAt: new Date('2026-03-15T08:00:00Z'),
  collections: ['Best of'],
  competitions: ['Bundesliga'],
  seasons: ['2025/26'],
  match: {
    id: 5501,
    label: 'Ajax : PSV',
    kickOff: new Date('2026-03-14T19:30:00Z'),
    round: '27',
    home: 'Ajax',
    away: 'PSV',
  },
  clubs: ['Ajax', 'PSV'],
  players: ['Benjamin Šeško', 'Ødegaard', 'Müller', 'Fourth'],
  stadiums: ['Johan Cruijff ArenA'],
  sponsors: [],
  tags: new Map([['mood', ['joy']]]),
  credit: 'Jane Doe/Agency',
  shirt: 30,
  action: { type: 'Goal', minute: 89, players: ['Benjamin Šeško'] },
  seq: 7,
  deliveryId: 99,
};
const EMPTY: PathValues = {
  ...VALUES,
  capturedAt: null,
  collections: [],
  competitions: [],
  seasons: [],
  match: null,
  clubs: [],
  players: [],
  stadiums: [],
  tags: new Map(),
  credit: null,
  shirt: null,
  action: null,
};
const resolve = (template: string, values = VALUES, rules: NameRules = POSIX_NAMES): string =>
  parsePathTemplate(template, { rules, pointer: '/path_template' }).resolve(values, rules);
const faultOf = (template: string, rules: NameRules = POSIX_NAMES): unknown => {
  try {
    parsePathTemplate(template, { rules, pointer: '/path_template' });
    return undefined;
  } catch (error) {
    return error;
  }
};

describe('a path template', () => {
  test.each([
    ['{media.name}.{media.ext}', 'Šeško Tor.jpg'],
    ['{captured_at:yyyy/MM/dd}/{media.id}_{quality}.jpg', '2026/03/15/42_photographer.jpg'],
    ['{captured_at:yyyyMMdd-HHmmss}', '20260315-003005'],
    ['{captured_at}', '2026-03-15'],
    ['{match.date}/{match}/{match.round}', '2026-03-14/Ajax : PSV/27'],
    ['{season}/{competition|slug}', '2025-26/bundesliga'],
    ['{club.home}-{club.away}', 'Ajax-PSV'],
    ['{player}', 'Benjamin Šeško'],
    ['{players:3}', 'Benjamin Šeško_Ødegaard_Müller'],
    ['{players:3|slug|join:+}', 'benjamin-sesko+odegaard+muller'],
    ['{player|join:-|ascii|upper}', 'BENJAMIN SESKO-ODEGAARD-MULLER-FOURTH'],
    ['{club|first|lower}', 'ajax'],
    ['{seq:4}_{sha256:8}_{delivery.id}', '0007_abababab_99'],
    ['{org}/{stadium|truncate:12}', 'orlando/Johan Cruijf'],
    ['{credit}', 'Jane Doe-Agency'],
    ['{shirt}/{action.type}/{action.minute}/{action.player}', '30/Goal/89/Benjamin Šeško'],
    ['{tag:Mood}/{tag:kit|default:no kit}', 'joy/no kit'],
    ['{sponsor|default:none}/{sponsor}', 'none/unknown'],
    ['{width}x{height}', '6000x4000'],
  ])('%s makes %s', (template, path) => {
    expect(resolve(template)).toBe(path);
  });

  test('gives another name to what a Windows server does not take', () => {
    expect(resolve('{match}.{media.ext}', VALUES, WINDOWS_NAMES)).toBe('Ajax - PSV.jpg');
    const named = (name: string) =>
      resolve('{media.name}', { ...VALUES, media: { ...VALUES.media, name } }, WINDOWS_NAMES);
    expect(named('CON')).toBe('_CON');
    expect(named('nul.txt')).toBe('_nul.txt');
    expect(named('ends with a dot. ')).toBe('ends with a dot');
    expect(named('a<b>c|d?e*f"g')).toBe('a-b-c-d-e-f-g');
    expect(named('...')).toBe('unknown');
  });

  test('never leaves its folder, whatever a name is', () => {
    for (const name of ['..', '../../etc/passwd', '.', '/', '\\..\\', '.hidden', '\u0000', '\u202egpj.exe', '   ']) {
      const path = resolve('a/{media.name}/{media.ext}', { ...VALUES, media: { ...VALUES.media, name } });
      expect(path.split('/'), name).toHaveLength(3);
      expect(isSafePath(path, POSIX_NAMES), path).toBe(true);
    }
  });

  test.each([
    ['{media.nam}', 2, 'a token'],
    ['a/{media.name|slugg}', 15, 'a filter'],
    ['a/{media.name', 3, 'a }'],
    ['a}b', 2, 'a {'],
    ['{a{b}}', 1, 'a }'],
    ['{captured_at:YYYY}', 2, 'a date format'],
    ['{captured_at:yyyy//dd}', 2, 'a date format'],
    ['{players}', 2, 'a number of players'],
    ['{player:3}', 2, 'without an argument'],
    ['{seq:0}', 2, 'a number of digits'],
    ['{media.name|truncate:0}', 13, 'a number of bytes'],
    ['{media.name|lower:x}', 13, 'without an argument'],
    ['{media.name|default:}', 13, 'text'],
    ['/a', 1, 'does not begin with a slash'],
    ['a/', 2, 'a name behind'],
    ['a//b', 3, 'a name between'],
    ['a/../b', 3, 'neither with a dot'],
    ['a\\b', 1, 'backslashes'],
    ['', 1, 'a path'],
    ['{constructor}', 2, 'a token'],
  ])('%j has its fault at column %i', (template, column, words) => {
    const error = faultOf(template);
    expect(error).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/path_template' }] });
    expect(String(error)).toContain(`column ${column}: expected`);
    expect(String(error)).toContain(words);
  });

  test('is refused for what its own words would do on a Windows server', () => {
    expect(faultOf('a:b/{media.id}')).toBeUndefined();
    expect(String(faultOf('a:b/{media.id}', WINDOWS_NAMES))).toContain('column 1');
    expect(String(faultOf('dir./{media.id}', WINDOWS_NAMES))).toContain('column 4');
  });

  test('makes a safe path of any values for every kind of target', () => {
    const any = fc.string({ unit: 'binary', maxLength: 400 });
    const nasty = fc.oneof(
      any,
      fc.constantFrom('..', 'CON', 'a/b', '\\', '.', ' ', 'x'.repeat(2000), '👩‍👩‍👧‍👦'.repeat(60), 'é'.repeat(300)),
    );
    const templates = [
      '{media.name}.{media.ext}',
      '{player}/{players:3}/{credit|truncate:40}',
      'x{player|join:_}.{media.ext}',
      Object.entries(TOKENS)
        .map(([name, token]) => `{${name}${token.argument?.required ? ':5' : ''}}`)
        .join('/'),
      '{captured_at:yyyy/MM/dd}/{tag:mood}/{competition|slug|default:none}/{media.name|ascii}',
    ];
    fc.assert(
      fc.property(
        nasty,
        nasty,
        fc.array(nasty, { maxLength: 4 }),
        fc.constantFrom(...templates),
        (name, ext, list, template) => {
          const values = {
            ...VALUES,
            media: { ...VALUES.media, name, ext },
            players: list,
            competitions: list,
            tags: new Map([['mood', list]]),
            credit: name,
          };
          for (const rules of [POSIX_NAMES, WINDOWS_NAMES, S3_NAMES, AZURE_NAMES]) {
            const path = resolve(template, values, rules);
            expect(isSafePath(path, rules), path).toBe(true);
            expect(path).toBe(path.normalize('NFC'));
            expect(path.split('/').length).toBe(
              resolve(template, EMPTY, rules).split('/').length +
                (template.includes('captured') && template.includes('yyyy') ? 2 : 0),
            );
            expect(isSafePath(`${withSuffix(path, 99)}.json`, rules), path).toBe(true);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test('numbers a name before its extension', () => {
    expect(withSuffix('a/b.c/photo.jpg', 2)).toBe('a/b.c/photo-2.jpg');
    expect(withSuffix('a.b/photo', 3)).toBe('a.b/photo-3');
  });
});
