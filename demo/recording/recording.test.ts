import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Recorder } from './recorder.ts';
import { parseRecording, type Recording } from './recording.ts';
import { FrameRedactor } from './redact-frame.ts';
import { writeRecording } from './write-recording.ts';

const FOLDER = new URL('../../e2e/recordings/', import.meta.url);
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));

describe('a recording', () => {
  it.each(FILES)('the recording is valid, has no secret and is written as it is read: %s', (file) => {
    const text = readFileSync(new URL(file, FOLDER), 'utf8');
    const recording = parseRecording(text);
    expect(writeRecording(recording)).toBe(text);
    expect(new FrameRedactor().redact(recording.lines)).toEqual(recording.lines);
    expect(text).not.toMatch(/127\.0\.0\.1|localhost|eyJ|_token"|_ticket"/);
  });

  it('there are ten curated recordings', () => expect(FILES).toHaveLength(10));

  it('there is a recording of two thousand chunks', () => {
    const { lines } = parseRecording(readFileSync(new URL('long-stream.json', FOLDER), 'utf8'));
    const chunks = lines.filter((line) => line.way === 'in' && line.frame.type.endsWith('MESSAGE_CHUNK'));
    expect(chunks.length).toBeGreaterThan(2_000);
  });

  it.each([
    ['{', 'not valid JSON'],
    ['{}', 'version'],
    ['{"version":2}', 'must be 1'],
  ])('the error names the fault of a recording: %s', (text, words) => {
    expect(() => parseRecording(text)).toThrow(words);
  });

  it('a recording with lines out of order is refused', () => {
    const lines = [5, 4].map((atMs) => ({ way: 'cut', atMs }) as const);
    const recording: Recording = {
      version: 1,
      title: 't',
      recordedAt: '2026-05-14T12:00:00.000Z',
      offers: [],
      lines,
    };
    expect(() => parseRecording(JSON.stringify(recording))).toThrow('in the order of atMs');
  });
});

describe('an answer of many chunks', () => {
  const chunk = (index: number, text = `w${index} `) => ({
    way: 'in' as const,
    atMs: 100 + index * 20,
    frame: {
      type: 'EVENT_TYPE_AGENT_MESSAGE_CHUNK',
      id: `event-${7 + index}`,
      sequence: 4 + index,
      timestamp: new Date(1_778_760_000_000 + index * 20).toISOString(),
      payload: { message_id: 'message-1', text, chunk_index: 1 + index, is_complete: false },
    },
  });
  const write = (lines: Recording['lines']): string =>
    writeRecording({ version: 1, title: 't', recordedAt: '2026-05-14T12:00:00.000Z', offers: [], lines });

  it('writes an answer of many chunks as one line of the file, and reads it back as the same frames', () => {
    const lines = Array.from({ length: 200 }, (_, index) => chunk(index));
    const text = write(lines);
    expect(text.match(/"way"/g)).toHaveLength(1);
    expect(text.length).toBeLessThan(4_000);
    expect(parseRecording(text).lines).toEqual(lines);
  });

  it('an answer that is short or interrupted is written frame by frame', () => {
    const lines = [chunk(0), chunk(1), { way: 'cut' as const, atMs: 125 }, chunk(2)];
    expect(write(lines).match(/"way"/g)).toHaveLength(4);
    expect(parseRecording(write(lines)).lines).toEqual(lines);
  });
});

describe('the recorder', () => {
  const trace = (direction: 'in' | 'out' | 'local', atMs: number, value: unknown) =>
    ({ direction, atMs, text: typeof value === 'string' ? value : JSON.stringify(value) }) as const;

  it('keeps frames with their times and replaces tokens, ids, local addresses and email addresses', () => {
    const recorder = new Recorder();
    const id = '3f1b2c4d-0000-4000-8000-1234567890ab';
    recorder.take(trace('local', 1_000, 'connection open'));
    recorder.take(
      trace('in', 1_020, { type: 'A', id, payload: { access_token: 'x', agent: { id: 'grace' } } }),
    );
    recorder.take(trace('out', 1_030, { type: 'EVENT_TYPE_HEARTBEAT', payload: {} }));
    recorder.take(trace('local', 1_040, 'connection reconnecting'));
    recorder.take(
      trace('out', 1_050, {
        type: 'B',
        payload: { text: `${id} maren@firm.com http://127.0.0.1:80/a eyJhbGciOi.eyJz.c2ln` },
      }),
    );
    const { lines } = recorder.finish('One');
    expect(lines).toEqual([
      {
        way: 'in',
        atMs: 20,
        frame: { type: 'A', id: 'event-1', payload: { access_token: '[removed]', agent: { id: 'agent-1' } } },
      },
      { way: 'cut', atMs: 40 },
      {
        way: 'out',
        atMs: 50,
        frame: { type: 'B', payload: { text: 'event-1 name@example.com https://site.example/a [removed]' } },
      },
    ]);
  });

  it('the recorder reports that it has no frames', () => {
    expect(() => new Recorder().finish('None')).toThrow('Nothing was recorded');
  });
});
