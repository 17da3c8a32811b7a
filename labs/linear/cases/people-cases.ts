import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { conversationsQuerySchema, parseBody, parseQuery } from '@natter/sdk';
import { writeCell } from '../../../server-platform/src/console-api/stream-export.ts';
import {
  inviteSchema,
  messageSchema,
  noteSchema,
  replySchema,
  signInSchema,
  tagsSchema,
} from '../../../server-platform/src/desk/api/desk-schemas.ts';
import { readCursor } from '../../../server-platform/src/desk/api/person-stream.ts';
import { fillReply } from '../../../server-platform/src/desk/fill-reply.ts';
import { findHoursFault } from '../../../server-platform/src/kit/find-hours-fault.ts';
import { readBackup } from '../../../server-platform/src/records/backup/backup-file.ts';
import { groupByTopic } from '../../../server-platform/src/records/overview/group-by-topic.ts';
import { readKnownDevice } from '../../../server-platform/src/staff/known-device.ts';
import { readSignInCookie } from '../../../server-platform/src/staff/sign-ins.ts';
import { fill, type LinearCase, numbered, of } from '../linear-case.ts';

const device = { id: 'p', passwordHash: 'h' };
const facts = { person: 'Grace', state: {}, page: {}, handoff: {} };
const conversations = conversationsQuerySchema('v3');

/** A backup whose rows are one line, as it is packed. */
function backupOf(size: number): string {
  const path = join(tmpdir(), `natter-linear-${process.pid}.gz`);
  writeFileSync(path, gzipSync(`${JSON.stringify({ kind: 'rows', rows: [[fill(size * 8, 'a ')]] })}\n`));
  return path;
}

/** Inputs of people at the desk and the console, visitors' texts that they read, and operators' files. */
export const PEOPLE: readonly LinearCase[] = [
  ...[';', '=', ' ', '__Host-natter-desk=', '__Host-natter-desk=a;', '__Host-natter-device=a.a;'].flatMap(
    (unit) => [
      of(`sign-in cookie of ${JSON.stringify(unit)}`, (size) => fill(size, unit), readSignInCookie),
      of(
        `cookie of a known browser of ${JSON.stringify(unit)}`,
        (size) => fill(size, unit),
        (text) => readKnownDevice(text, device),
      ),
    ],
  ),
  of(
    'last event id of colons',
    (size) => fill(size, ':1'),
    (text) => readCursor(new Headers({ 'last-event-id': text }), 'ho', null),
  ),
  ...['a', 'a@', '@', ' ', '.a'].flatMap((unit) => [
    of(
      `sign-in of ${JSON.stringify(unit)}`,
      (size) => fill(size, unit),
      (text) => parseBody(signInSchema, { email: text, password: text }),
    ),
    of(
      `invited person of ${JSON.stringify(unit)}`,
      (size) => fill(size, unit),
      (text) => parseBody(inviteSchema, { email: text, name: text, skills: text.split('@') }),
    ),
  ]),
  of(
    'desk message of spaces',
    (size) => fill(size, ' ', 'a', 'a'),
    (text) => [parseBody(messageSchema, { id: text, text }), parseBody(noteSchema, { text })],
  ),
  of(
    'many tags',
    (size) => fill(size, 'a,'),
    (text) => parseBody(tagsSchema, { tags: text.split(',') }),
  ),
  ...['{{', '{{ ', '{{page.', '{{page.a.', '{{page.a|', '{{person}}', '{{state.a |b}', ' }}'].flatMap(
    (unit) => [
      of(
        `canned reply of ${JSON.stringify(unit)}`,
        (size) => fill(size, unit),
        (text) => [parseBody(replySchema, { name: text, text }), fillReply(text, facts)],
      ),
    ],
  ),
  of(
    'canned reply of spaces in a placeholder',
    (size) => fill(size, ' ', '{{', 'person}}'),
    (text) => fillReply(text, facts),
  ),
  ...['Mo-Fr 09:00-17:00;', 'Mo-Su,', '09:00-17:00,', ';', ',', ' ', ' -', 'Mo-', 'Dec 25,', '1'].map(
    (unit) => of(`opening hours of ${JSON.stringify(unit)}`, (size) => fill(size, unit), findHoursFault),
  ),
  of(
    'words searched in the console',
    (size) => fill(size, 'a+%20', 'query_type=text&query='),
    (text) => parseQuery(conversations, new URLSearchParams(text)),
  ),
  of(
    'topics of one question of many words',
    (size) => numbered(size, (n) => `word${String.fromCharCode(97 + (n % 26))}${n}`, ' '),
    (text) => groupByTopic([{ id: '1', question: text }]),
  ),
  ...['"', '=', ',', '\r\n', '",'].map((unit) =>
    of(`exported cell of ${JSON.stringify(unit)}`, (size) => fill(size, unit), writeCell),
  ),
  {
    name: 'backup of one line',
    prepare: (size) => {
      const path = backupOf(size);
      return async () => {
        for await (const part of readBackup(path)) if (part.kind !== 'rows') throw new Error('Not the rows.');
      };
    },
  },
];
