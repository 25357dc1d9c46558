import { describe, expect, test } from 'vitest';
import { parseEdl } from './edl-reader.ts';
import { type ExportedAction, parseEvents, writeEdl, writeWebVtt } from './index.ts';
import { parseWebVtt } from './webvtt.ts';

const ACTIONS: readonly ExportedAction[] = [
  {
    id: 31,
    version: 1,
    type: { key: 'goal', name: 'Goal' },
    label: '2-1 Núñera <late> & -->',
    startMs: 60_060,
    endMs: 62_000,
    minute: 45,
    stoppage: 2,
    clubs: [],
    players: [],
    tags: [],
    details: { note: 'a --> b\n\nWEBVTT' },
  },
  {
    id: 32,
    version: 1,
    type: { key: 'offside' },
    startMs: 70_000,
    endMs: 70_000,
    clubs: [],
    players: [{ id: 9, name: 'Orlen' }],
    tags: [],
    details: {},
  },
];
const NTSC = { num: 30000, den: 1001 };
const edl = {
  frameRate: NTSC,
  startTimecode: '01:00:00;00',
  title: 'Cup final',
  clipName: 'PAV-BMA.mp4',
  reel: 'cam 1',
};

describe('WebVTT', () => {
  test('a cue has a title to read, and no arrow but the one of its times', () => {
    const text = writeWebVtt(ACTIONS);
    expect(text.startsWith('WEBVTT\n\nNOTE touchline {')).toBe(true);
    expect(text).toContain(
      "action-31\n00:01:00.060 --> 00:01:02.000\n45+2' Goal: 2-1 Núñera &lt;late&gt; &amp; --&gt;\n",
    );
    // A point is shown for a millisecond, as a cue must end after it begins.
    expect(text).toContain('action-32\n00:01:10.000 --> 00:01:10.001\noffside: Orlen\n');
    expect(text.split('-->')).toHaveLength(3);
  });

  test('times that were moved in another program win, the rest stays', () => {
    const moved = writeWebVtt(ACTIONS)
      .replace('00:01:00.060 -->', '00:00:58.000 -->')
      .replace('00:01:10.001', '00:01:12.000');
    expect(parseWebVtt(Buffer.from(moved)).records).toMatchObject([
      { actionId: 31, startMs: 58_000, endMs: 62_000, minute: 45 },
      { actionId: 32, startMs: 70_000, endMs: 72_000 },
    ]);
  });

  test('files of others are read: identifiers, settings, styles, markup, JSON in cues, no hours', () => {
    const { records, problems } = parseWebVtt(
      Buffer.from(
        '\ufeffWEBVTT - match\r\nKind: metadata\r\n\r\nSTYLE\r\n::cue { color: red }\r\n\r\nNOTE made by hand\r\n\r\n' +
          'g1\r\n01:02.500 --> 01:09.000 align:start line:0\r\n<v Ann>Yellow card: <i>Orlen</i> &amp; co\r\n\r\n' +
          '100:00:00.000 --> 100:00:01.000\r\n{"type":"goal","players":[{"label":"Núñera","role":"scorer"}]}\r\n\r\n' +
          'not a time\r\n\r\n00:05.000 --> 00:04.000\r\nbackwards\r\n',
      ),
    );
    expect(records).toMatchObject([
      { ref: 'g1', type: { key: 'card_yellow' }, label: 'Orlen & co', startMs: 62_500, endMs: 69_000 },
      { ref: 'line:13', type: { key: 'goal' }, players: [{ name: 'Núñera', role: 'scorer' }], startMs: 360_000_000 },
    ]);
    expect(problems.map(({ at, field, isLeftOut }) => [at.line, field, isLeftOut])).toEqual([
      [16, 'time', true],
      [18, 'end', true],
    ]);
  });

  test('what does not begin with WEBVTT is none', () => {
    for (const text of ['WEBVTTX\n', '1\n00:00:01,000 --> 00:00:02,000\nSubRip\n', ' WEBVTT'])
      expect(() => parseWebVtt(Buffer.from(text)), text).toThrow(/expected WEBVTT at its start/);
  });
});

describe('EDL', () => {
  test('cuts have source timecodes of the video and follow each other in the record from one hour', () => {
    const lines = writeEdl(ACTIONS, edl).split('\r\n');
    expect(lines.slice(0, 2)).toEqual(['TITLE: Cup final', 'FCM: DROP FRAME']);
    // 60,060 ms is frame 1,800, the first of the second minute: 01:01:00;02. 62,000 ms lies in frame 1,858.
    expect(lines).toContain('001  CAM1     V     C        01:01:00;02 01:01:02;01 01:00:00;00 01:00:01;29');
    expect(lines).toContain('* FROM CLIP NAME: PAV-BMA.mp4');
    expect(lines).toContain("* COMMENT: 45+2' Goal: 2-1 Nunera <late> & -->");
    // A point has one frame.
    expect(lines).toContain('002  CAM1     V     C        01:01:09;29 01:01:10;00 01:00:01;29 01:00:02;00');
    expect(lines.filter((line) => /[^ -~]/.test(line) || line.length > 80)).toEqual([]);
  });

  test('non-drop counting is said', () => {
    const text = writeEdl(ACTIONS, { ...edl, frameRate: { num: 25, den: 1 }, startTimecode: '10:00:00:00' });
    expect(text).toContain('FCM: NON-DROP FRAME\r\n');
    expect(text).toContain('001  CAM1     V     C        10:01:00:01 10:01:02:00 01:00:00:00 01:00:01:24\r\n');
    expect(() => writeEdl(ACTIONS, { ...edl, frameRate: { num: 25, den: 1 } })).toThrow(
      expect.objectContaining({ code: 'validation_failed' }),
    );
  });

  test('ms come back as they were, unless the cut was moved', () => {
    const written = writeEdl(ACTIONS, edl);
    expect(parseEdl(Buffer.from(written), edl).records).toMatchObject([
      { actionId: 31, startMs: 60_060, endMs: 62_000 },
      { actionId: 32, startMs: 70_000, endMs: 70_000 },
    ]);
    const moved = written.replace('01:01:00;02', '01:00:58;00');
    expect(parseEdl(Buffer.from(moved), edl).records[0]).toMatchObject({
      actionId: 31,
      startMs: 58_058,
      endMs: 62_000,
      minute: 45,
    });
  });

  test('cuts of others are clips with their comments; faults are told by line', () => {
    const text =
      'TITLE: REEL ONE\nFCM: NON-DROP FRAME\n\n001  A001C002 V     C        10:00:02:12 10:00:04:00 01:00:00:00 01:00:01:13\n' +
      '* FROM CLIP NAME: a.mov\n* COMMENT: Goal: Núñera\nM2 A001C002 050.0 10:00:02:12\n' +
      '002  AX       AA/V  D 025    10:00:05:00 10:00:05:30 01:00:01:13 01:00:02:00\n';
    const base = { frameRate: { num: 25, den: 1 }, startTimecode: '10:00:00:00' };
    const { records, problems } = parseEdl(Buffer.from(text), base);
    expect(records).toMatchObject([
      {
        ref: 'cut:001',
        type: { key: 'goal' },
        label: 'Núñera',
        startMs: 2480,
        endMs: 4000,
        details: { reel: 'A001C002', clip_name: 'a.mov' },
      },
    ]);
    expect(problems.map(({ at, isLeftOut }) => [at.line, isLeftOut])).toEqual([
      [8, false],
      [8, true],
    ]);
  });

  test('without a frame rate, and what is no EDL, is refused', () => {
    expect(() => parseEvents(Buffer.from('TITLE: x\n'), { format: 'edl' })).toThrow(/frame rate/);
    expect(() => parseEdl(Buffer.from('hello\n'), edl)).toThrow(/expected TITLE, FCM or a cut/);
  });
});
