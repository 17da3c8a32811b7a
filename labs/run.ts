/** Every laboratory, by the name given to `npm run labs -- NAME`. */
const LABS: Readonly<Record<string, readonly [file: string, says: string]>> = {
  soak: ['./soak/run.ts', 'seeded fault schedules over the real stack, in Node or in a browser'],
  attack: ['./attack/run.ts', 'hostile peers against a running stack, while honest visitors talk'],
  cluster: ['./cluster/run.ts', 'faults of three nodes, with a PostgreSQL and a NATS of their own'],
  linear: ['./linear/measure.ts', 'what twice the input costs every reader of outside input'],
  bench: ['./bench/run.ts', 'one measurement; without a name it lists them'],
  images: [
    './images/run.ts',
    'both images from a clone: a chat through TLS, a restart, an upgrade, a restore',
  ],
  browsers: [
    '../e2e/browsers/try-browsers.ts',
    "a visitor's way through Firefox and WebKitGTK, where they are installed",
  ],
  replay: ['../demo/recording/replay.ts', 'serves a recorded conversation, with a page to open'],
};

const [, , name = '', ...options] = process.argv;
const [file] = LABS[name] ?? [];
if (file === undefined) {
  console.log('npm run labs -- NAME [options], where NAME is one of');
  for (const [lab, [, says]] of Object.entries(LABS)) console.log(`  ${lab.padEnd(9)} ${says}`);
  process.exitCode = name === '' ? 0 : 2;
} else {
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...options);
  await import(file);
}
