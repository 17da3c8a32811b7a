import type { IdleFigures, LoadFigures, NodesFigures } from './figures.ts';

/** Prints what idle sockets take. */
export function printIdle(idle: IdleFigures): void {
  const { sockets, bytesPerSocket, heapBytesPerSocket, bareBytesPerSocket, residentBytes } = idle;
  print(
    `${count(sockets)} idle sockets of one node`,
    `${kilobytes(bytesPerSocket)} each (heap ${kilobytes(heapBytesPerSocket)}, bare ws ${kilobytes(bareBytesPerSocket)}), ${count(1e9 / bytesPerSocket)} per GB, ${count(residentBytes / 1e6)} MB in all`,
  );
}

/** Prints the figures for a number of nodes, and their ratio to the machine without a platform. */
export function printRun(run: NodesFigures, ceilings: LoadFigures['ceilings']): void {
  const { nodes, chats, handshakes, echoes, halfLoad, chunks, bus } = run;
  const ratio = (value: number, ceiling: number, of: string): string =>
    `${rate(value)}  ${(value / ceiling).toFixed(3)} x of ${of}`;
  const { platformMs, databaseMs } = chats.cost;
  console.log(`\n${nodes} node${nodes === 1 ? '' : 's'}`);
  print(
    'new chats',
    `${rate(chats.perSecond)}  99 % ${count(chats.p99Ms)} ms, platform ${platformMs.toFixed(2)} ms, database ${databaseMs.toFixed(2)} ms`,
  );
  print(
    'sockets that come back',
    `${ratio(handshakes.perSecond, ceilings.handshakesPerSecond, 'bare ws')}, 99 % ${count(handshakes.p99Ms)} ms`,
  );
  print('messages stored and echoed', ratio(echoes.perSecond, ceilings.insertsPerSecond, 'bare inserts'));
  const times = [halfLoad.p50Ms, halfLoad.p99Ms, halfLoad.p999Ms].map((ms) => ms.toFixed(1)).join(' / ');
  print(`at ${count(halfLoad.perSecond)} a second`, `50/99/99.9 %: ${times} ms`);
  print('chunks stored', ratio(chunks.storedPerSecond, ceilings.insertsPerSecond, 'bare inserts'));
  print(
    `chunks sent, ${chunks.socketsPerSession} sockets a session`,
    ratio(chunks.fannedOutPerSecond, ceilings.echoesPerSecond, 'bare echoes'),
  );
  if (bus !== null)
    print('bus, of a message', `${bus.messagesPerEcho.toFixed(2)} messages, ${kilobytes(bus.bytesPerEcho)}`);
}

function print(what: string, text: string): void {
  console.log(`${what.padEnd(40)} ${text}`);
}

function rate(perSecond: number): string {
  return `${count(perSecond).padStart(9)}/s`;
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}
