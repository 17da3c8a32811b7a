import { parseArgs } from 'node:util';
import { buildDocs } from './build/build-docs.ts';
import { writeFirstScreen } from './first-screen.ts';
import { PORT_COUNT, startDemo } from './start-demo.ts';

const USAGE = `npm start -- [options]

  --port-base N     site on N, proxy on N+1, platform on N+2, the link between on N+3; 0: free ports.
                    Default: 7400, and a free port in the place of each that is taken
  --data DIR        where the database is kept. Default: .natter
  --config FILE     a platform configuration of your own, with a connector that has a token
  --scripted        a script plays the queue and the person, in place of the console's desk
  --docs            build the documentation beside it, and serve it at /docs/ of the platform
  --dev             show edits of the sources as they are saved (npm run dev)
  --inspect         with --dev: debuggers attach to the platform at 9229, to the token proxy at 9230
  --platform URL    use a platform that runs already (give its configuration with --config)
`;

const MAX_PORT = 65_536 - PORT_COUNT;

function readArguments(): ReturnType<typeof parseArgs> {
  try {
    return parseArgs({
      options: {
        'port-base': { type: 'string', default: '7400' },
        data: { type: 'string', default: '.natter' },
        config: { type: 'string' },
        platform: { type: 'string' },
        scripted: { type: 'boolean', default: false },
        docs: { type: 'boolean', default: false },
        dev: { type: 'boolean', default: false },
        inspect: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exit(2);
  }
}

const { values } = readArguments();
if (values['help'] === true) {
  console.log(USAGE);
  process.exit(0);
}
const text = (name: string): string | null => (typeof values[name] === 'string' ? values[name] : null);
const portBase = text('port-base') ?? '';
if (!/^\d+$/.test(portBase) || Number(portBase) > MAX_PORT) {
  console.error(`--port-base has to be a port number up to ${MAX_PORT}, not "${portBase}".`);
  process.exit(2);
}
if (text('platform') !== null && text('config') === null) {
  console.error('--platform needs --config with that platform’s configuration, for the connector’s token.');
  process.exit(2);
}

const isDevelopment = values['dev'] === true;
if (values['inspect'] === true && !isDevelopment) {
  console.error('--inspect goes with --dev: npm run dev -- --inspect');
  process.exit(2);
}
const dataDir = text('data') ?? '';
const hasDocs = values['docs'] === true && text('platform') === null;
const demo = await startDemo({
  // 0: free ports.
  portBase: Number(portBase) || null,
  dataDir,
  configFile: text('config'),
  platformUrl: text('platform'),
  hasDesk: values['scripted'] !== true,
  isDevelopment,
  isInspected: values['inspect'] === true,
  onProgress: (line) => console.error(line),
  onCrash(message) {
    if (isDevelopment) {
      console.error(`${message} The next edit of its sources starts it again.`);
      return;
    }
    console.error(`${message} The demo ends with it.`);
    // A clean end of the rest would wait for answers of the platform.
    process.exit(1);
  },
}).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
console.log(writeFirstScreen({ ...demo, dataDir, hasDocs, isDevelopment }));
// Requests for it that come before it is built are answered as soon as it is there.
if (hasDocs)
  buildDocs().catch((error: unknown) => console.error(error instanceof Error ? error.message : error));

let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // A second signal means now.
    if (isStopping) process.exit(1);
    isStopping = true;
    demo.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}
