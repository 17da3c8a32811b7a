import { parseArgs } from 'node:util';
import { buildDocs } from './build-docs.ts';
import { PEOPLE } from './demo-config.ts';
import { startDemo } from './start-demo.ts';

const USAGE = `npm start -- [options]

  --port-base N     site on N, proxy on N+1, platform on N+2, the link between on N+3; default: free ports
  --data DIR        where the database is kept; default .natter
  --config FILE     a platform configuration of your own, with a connector that has a token
  --desk            people answer at the console's desk, in place of the script
  --docs            build the documentation beside it, and serve it at /docs/ of the platform
  --platform URL    use a platform that runs already (give its configuration with --config)
`;

const MAX_PORT = 65_532;

function readArguments(): ReturnType<typeof parseArgs> {
  try {
    return parseArgs({
      options: {
        'port-base': { type: 'string' },
        data: { type: 'string', default: '.natter' },
        config: { type: 'string' },
        platform: { type: 'string' },
        desk: { type: 'boolean', default: false },
        docs: { type: 'boolean', default: false },
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
const portBase = text('port-base');
if (portBase !== null && !(/^\d+$/.test(portBase) && Number(portBase) <= MAX_PORT)) {
  console.error(`--port-base has to be a port number up to ${MAX_PORT}, not "${portBase}".`);
  process.exit(2);
}
if (text('platform') !== null && text('config') === null) {
  console.error('--platform needs --config with that platform’s configuration, for the connector’s token.');
  process.exit(2);
}

const demo = await startDemo({
  portBase: portBase === null ? null : Number(portBase),
  dataDir: text('data') ?? '.natter',
  configFile: text('config'),
  platformUrl: text('platform'),
  hasDesk: values['desk'] === true,
  onProgress: (line) => console.error(line),
  onCrash(message) {
    console.error(`${message} The demo ends with it.`);
    // A clean end of the rest would wait for answers of the platform.
    process.exit(1);
  },
}).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
for (const [name, url] of Object.entries(demo.urls)) console.log(`${name}: ${url}`);
if (demo.console !== null) {
  console.log(`console: ${demo.console.url}`);
  for (const { email, role } of PEOPLE)
    console.log(`  ${email} (${role}), password ${demo.console.password}`);
}
if (demo.keys.length > 0) {
  console.log('\nKeys for the REST families, account kittiwake, project kittiwake (header X-Api-Key):');
  for (const { name, permissions, key } of demo.keys)
    console.log(`  ${name} (${permissions.join(', ')}): ${key}`);
}

if (values['docs'] === true && text('platform') === null)
  buildDocs().then(
    () => console.log(`\ndocs: ${demo.urls.platform}docs/`),
    (error: unknown) => console.error(error instanceof Error ? error.message : error),
  );

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
