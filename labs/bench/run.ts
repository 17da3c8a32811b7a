/** Every measurement, by the name given to `npm run labs -- bench NAME`. */
const BENCHES: Readonly<Record<string, string>> = {
  append: 'events appended per second and time to acknowledgement, on PGlite and PostgreSQL',
  retention: 'rows that retention removes a second, and what appending notices of it',
  ownership: 'what owning 10,000 sessions costs, and how soon those of a node that died are answered',
  load: 'thousands of clients: idle sockets per GB, handshakes, echoes and chunks per second with one node and more',
  gateway: 'messages per second through the gateway, beside a bare WebSocket echo and a socket.io server',
  relay: 'what a relayed socket costs beside one at the platform: added time, memory for each',
  message: 'statements, commits, flushes, rows and processor time of one stored message',
  scaling: 'what 1,000, 100,000 and 10 million concurrent chats take, from what load has measured',
  widget: 'what the widget costs its page: launcher, opening, a long answer, a long history',
  peers: 'the widget beside the chat widgets of others: launcher, click, answer, history, key press',
  tabs: 'how soon another tab has the socket when the one that had it is closed',
  rest: 'time of conversation lists, searches and concurrency, as multiples of a trivial statement',
  render: 'chunks per second that the widget renders, with long tasks counted',
  handshakes: 'clients that the platform lets in after a start, plain sockets, and what each costs it',
  console: 'requests and milliseconds of each view of the console, on 100,000 conversations',
  operator: 'what a new operator does first, from an empty folder to a person invited, in seconds',
  start: 'memory and processor time of an idle platform and its start, beside a bare server of Node',
  storm: 'how many clients come back after a restart of the platform, and how fast',
};
/** Benches that are not a file in this folder. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  handshakes: '../soak/handshakes.ts',
  storm: '../soak/storm.ts',
};

const [, , name = '', ...options] = process.argv;
if (name in BENCHES) {
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...options);
  await import(ELSEWHERE[name] ?? `./${name}.ts`);
} else {
  console.log('npm run labs -- bench NAME, where NAME is one of');
  for (const [bench, says] of Object.entries(BENCHES)) console.log(`  ${bench.padEnd(10)} ${says}`);
  process.exitCode = name === '' ? 0 : 2;
}
