import { globSync, readdirSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { expect, it } from 'vitest';
import { readSettings } from '../../scripts/configuration/write-reference.ts';
import { COMMAND_LINE_OPTIONS } from '../../server-platform/src/app/cli/command-line-options.ts';
import { COMMANDS } from '../../server-platform/src/app/commands.ts';
import { at, type Code, DOCUMENTS, FILES, ROOT, read, readCode } from './repository.ts';

const CODE: readonly Code[] = DOCUMENTS.flatMap(readCode);
const SOURCES = FILES.filter(
  (path) =>
    /\.(?:tsx?|vue|css|html|json|jsonc|ya?ml|toml|env|conf|py|php|service|tpl)$|Dockerfile$|Caddyfile$/.test(
      path,
    ) && !/package-lock|\/migrations\/|^test\/docs\//.test(path),
);

/** Names of other products, by owner. */
const FOREIGN: ReadonlySet<string> = new Set(
  Object.values({
    pgbouncer: 'pool_mode max_prepared_statements server_idle_timeout tcp_keepalive tcp_user_timeout',
    postgresql: 'pg_switch_wal min_wal_size',
    prometheus: 'rule_files scrape_configs',
    'node, glibc': 'NODE_OPTIONS MALLOC_ARENA_MAX max-semi-space-size',
    docker: 'build-arg',
    android: 'onConsoleMessage',
    openTelemetry: 'OTEL_EXPORTER_OTLP_HEADERS',
    'other chats':
      'chat_open chat_message_sent chat_message_received chat_end tidioChatApi showNewMessage logoutUser onUnreadCountChange unreadMessages hide_default_launcher',
    'rate-limiter-flexible': 'keyPrefix',
    cloudflare: 'nodejs_compat',
    ollama: 'OLLAMA_CONTEXT_LENGTH',
  }).flatMap((names) => names.split(' ')),
);

/** Returns the faults of all code in the documents; `check` returns the faults of one piece. */
const faultsOf = (check: (code: Code) => readonly string[]): readonly string[] =>
  CODE.flatMap((code) => check(code).map((fault) => at(code, fault)));

const matches = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? match[0]);

it('every path that a document names is a file or folder', () => {
  const paths = new Set<string>();
  for (const path of FILES) {
    const parts = path.split('/');
    // A path may start at any folder above the file: `messaging/index.ts` as well as the whole path.
    for (let from = 0; from < parts.length; from += 1) {
      for (let to = from + 1; to <= parts.length; to += 1) paths.add(parts.slice(from, to).join('/'));
    }
  }
  const top = new Set(readdirSync(ROOT));
  const exists = (path: string, { document }: Code): boolean =>
    paths.has(path.replace(/\/$/, '')) ||
    paths.has(posix.join(dirname(document), path)) ||
    (/[*{]/.test(path) &&
      globSync([path, `**/${path}`], { cwd: ROOT, exclude: ['**/node_modules'] }).length > 0);
  const file =
    /(?<![\w/.@:$~-])(?:[\w.*{},@-]+\/)+[\w.*{},-]*\.(?:tsx?|css|md|json|ya?ml|vue|py|php|png|conf|env)(?![\w/-])/g;
  const folder = /^(?:[\w.*@-]+\/)+[\w.*@-]*$/;
  // Files that builds and runs create, and files of the installed package `natter`.
  const made = [
    ...read('.gitignore')
      .split('\n')
      .filter((line) => line !== ''),
    'natter/',
  ];
  expect(exists('src/client/index.ts', CODE[0] as Code)).toBe(true);
  expect(exists('src/client/no-such-file.ts', CODE[0] as Code)).toBe(false);
  expect(
    faultsOf((code) => {
      const named = [...matches(code.text, file)];
      if (code.isInline && folder.test(code.text) && top.has(code.text.split('/')[0] ?? ''))
        named.push(code.text);
      return named
        .filter((path) => !made.some((start) => `${path}/`.startsWith(start)))
        .filter((path) => !exists(path.replaceAll('NAME', '*'), code))
        .map((path) => `names the file ${path}`);
    }),
  ).toEqual([]);
});

it('every name, field, frame, variable and error that a document names is in the sources', () => {
  const words = new Set(SOURCES.flatMap((path) => read(path).match(/[A-Za-z_]\w*/g) ?? []));
  // The page around a sample may name what the sample declares.
  const declared = new Set(
    CODE.flatMap(({ document, text, isInline }) =>
      isInline ? [] : (text.match(/[A-Za-z_]\w*/g) ?? []).map((word) => `${document} ${word}`),
    ),
  );
  expect(words.has('EVENT_TYPE_USER_MESSAGE')).toBe(true);
  expect(words.has(['ext', 'event', 'id'].join('_'))).toBe(false);
  expect(
    faultsOf(({ document, text, isInline }) =>
      isInline && !/[\s({]/.test(text.replace(/\(\)$/, ''))
        ? matches(text, /(?<![\w.#%-])[A-Za-z]\w{3,}\b/g)
            .filter(
              (word) =>
                /[a-z][A-Z]|[A-Za-z]_[A-Za-z]/.test(word) &&
                !words.has(word) &&
                !FOREIGN.has(word) &&
                !declared.has(`${document} ${word}`),
            )
            .map((word) => `names ${word}`)
        : [],
    ),
  ).toEqual([]);
});

it('every setting that a document names is one of the configuration file', () => {
  const settings = readSettings().map(({ parent, name }) => (parent === '' ? name : `${parent}.${name}`));
  const plain = (path: string): string => path.replace(/\[\w*\]|\.\*|"/g, '');
  const known = new Set(
    settings.flatMap((path) =>
      plain(path)
        .split('.')
        .map((_, index, parts) => parts.slice(0, index + 1).join('.')),
    ),
  );
  const roots = new Set(['server', 'database', 'bus', 'metrics', 'keys']);
  expect(known.has('server.trustedProxyHops')).toBe(true);
  expect(
    faultsOf(({ text, isInline }) =>
      isInline && /^[a-z]\w*(?:\[\])?(?:\.[\w*[\]]+)+$/.test(text) && roots.has(text.split('.')[0] ?? '')
        ? [plain(text)].filter((path) => !known.has(path)).map((path) => `names the setting ${path}`)
        : [],
    ),
  ).toEqual([]);
});

it('every npm script that a document, a source or a workflow names is in a package.json', () => {
  const scripts = new Set(
    FILES.filter((path) => path.endsWith('package.json')).flatMap((path) =>
      Object.keys(JSON.parse(read(path)).scripts ?? {}),
    ),
  );
  const strangers = (text: string): readonly string[] =>
    matches(text, /npm run ([\w:-]+)/g).filter((name) => !scripts.has(name));
  expect(strangers('npm run test, npm run no-such-script')).toEqual(['no-such-script']);
  expect(faultsOf(({ text }) => strangers(text).map((name) => `names npm run ${name}`))).toEqual([]);
  const inSources = SOURCES.filter((path) => !path.startsWith('demo/gallery/')).flatMap((path) =>
    strangers(read(path)).map((name) => `${path} names npm run ${name}`),
  );
  expect(inSources).toEqual([]);
});

it('every command of natter-platform that a document names exists', () => {
  const known = new Set([...Object.keys(COMMANDS), 'serve']);
  const isKnown = (command: string): boolean =>
    command === 'help' ||
    [...known].some(
      (each) => each === command || each.split(' ')[0] === command || command.startsWith(`${each} `),
    );
  expect([isKnown('connector add'), isKnown('connector pet')]).toEqual([true, false]);
  expect(
    faultsOf(({ text }) =>
      matches(text, /natter-platform(?! natter-)((?: [a-z][a-z-]*)+)/g)
        .map((command) => command.trim())
        .filter((command) => !isKnown(command))
        .map((command) => `names natter-platform ${command}`),
    ),
  ).toEqual([]);
});

it('every option that a document names is accepted by its program', () => {
  const declared = new Set(
    SOURCES.filter((path) => /^(?:demo|labs|scripts|test|server-\w+(?:-\w+)?\/src|e2e)\//.test(path)).flatMap(
      (path) => [
        ...matches(read(path), /(?<![\w-])['"]?([a-z][\w-]*)['"]?: \{ type: '(?:string|boolean)'/g),
        ...matches(read(path), /(?<![\w-])--([a-z][\w-]+)/g),
      ],
    ),
  );
  const ofPlatform = new Set(Object.keys(COMMAND_LINE_OPTIONS));
  expect([declared.has('port-base'), declared.has('no-such-option')]).toEqual([true, false]);
  expect(
    faultsOf(({ text }) => {
      const [command = ''] = /natter-platform .*/.exec(text) ?? [];
      const isOurs = /^--|npm (?:start|run|test)/.test(text);
      return [
        ...matches(command.split(/[|;&]/)[0] ?? '', /(?<![\w-])--([a-z][\w-]*)/g).filter(
          (name) => !ofPlatform.has(name),
        ),
        ...(isOurs
          ? matches(text, /(?<![\w-])--([a-z][\w-]*)/g).filter(
              (name) => !declared.has(name) && !FOREIGN.has(name) && !name.startsWith('natter-'),
            )
          : []),
      ].map((name) => `names the option --${name}`);
    }),
  ).toEqual([]);
});

it('every address that a document names is answered by a server', () => {
  const sources = SOURCES.filter(
    (path) => /^server-|^demo\/|^deploy\//.test(path) && !/\.test\.ts$/.test(path),
  ).map(read);
  const text = sources.join('\n');
  const isAnswered = (segment: string): boolean => text.includes(`/${segment}`);
  expect([isAnswered('livez'), isAnswered('no-such-page')]).toEqual([true, false]);
  expect(
    faultsOf(({ text: code, isInline }) =>
      isInline &&
      /^(?:(?:GET|POST|PUT|PATCH|DELETE) )?\/(?:v\d|api\/v\d|livez|readyz|metrics|ws|console|desk|docs)\b/.test(
        code,
      )
        ? code
            .replace(/[?#].*/, '')
            .split('/')
            .slice(1)
            .filter((segment) => /^[a-z][a-z-]+$/.test(segment) && !isAnswered(segment))
            .map((segment) => `names the address ${code}: no server answers /${segment}`)
        : [],
    ),
  ).toEqual([]);
});
