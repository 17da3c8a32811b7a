import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contentSecurityPolicy } from '@natter/token-proxy';
import { Hono } from 'hono';
import { demoPolicy, type WidgetOrigins } from '../content-security-policy.ts';
import type { FlakyLink } from '../link/flaky-link.ts';
import { readScript } from '../read-script.ts';
import { parseRecording } from '../recording/recording.ts';
import { type ReplayServer, startReplay } from '../recording/replay-server.ts';
import { applyFault, describeLink, type PlatformFaults } from './faults.ts';

/** What the QA page works on. */
export interface QaOptions {
  readonly getOrigins: () => WidgetOrigins;
  readonly link: FlakyLink;
  readonly getPlatform: () => PlatformFaults | null;
  readonly embedDir: string;
}

/** The QA page's routes, and the replays that were started there. */
export interface QaRoutes {
  readonly routes: Hono;
  close(): Promise<void>;
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const THEMES = here('../../src/widget/themes');
const RECORDINGS = here('../../e2e/recordings');
const SCRIPT = { 'Content-Type': 'text/javascript' } as const;
const STYLES = { 'Content-Type': 'text/css' } as const;
const MAX_REPLAYS = 20;

/** Recordings that are served, each on a port of its own; the oldest ends when there are too many. */
class Replays {
  readonly #replays = new Map<string, ReplayServer>();

  async start(text: string, embedDir: string, speed: number): Promise<string> {
    const recording = parseRecording(text);
    const options = { speed, untilMs: Number.POSITIVE_INFINITY, port: 0, embedDir };
    const id = randomUUID();
    this.#replays.set(id, await startReplay(recording, options));
    const [oldest] = this.#replays;
    if (oldest && this.#replays.size > MAX_REPLAYS) {
      this.#replays.delete(oldest[0]);
      await oldest[1].close();
    }
    return id;
  }

  find(id: string): string | null {
    return this.#replays.get(id)?.url ?? null;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#replays.values()].map((replay) => replay.close()));
  }
}

/** The names of the curated recordings. */
const listRecordings = (): readonly string[] =>
  existsSync(RECORDINGS)
    ? readdirSync(RECORDINGS).flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -5)] : []))
    : [];

/** A page with the widget, faults, and the log of frames, at `/qa`. */
export function createQaRoutes(options: QaOptions): QaRoutes {
  const { getOrigins, link, getPlatform, embedDir } = options;
  const replays = new Replays();
  const app = new Hono();

  app.get('/qa', (context) => {
    const id = context.req.query('replay');
    const replay = id === undefined ? null : replays.find(id);
    // A replay that has ended leads to the page itself.
    if (id !== undefined && replay === null) return context.redirect('/qa');
    const proxy = replay ?? getOrigins().proxy;
    if (replay !== null) {
      const socket = replay.replace(/^http/, 'ws');
      context.header('Content-Security-Policy', demoPolicy({ proxy, socket }));
    }
    const page = readFileSync(here('./index.html'), 'utf8');
    return context.html(page.replaceAll('src="/natter.js"', `src="${proxy}/natter.js"`));
  });
  app.get('/qa/qa.css', (context) => context.body(readFileSync(here('./qa.css')), 200, STYLES));
  app.get('/qa/qa.js', (context) => context.body(readScript('./qa/qa.ts'), 200, SCRIPT));
  // What the page's script imports, by the paths that it has here.
  for (const folder of ['qa', 'recording'] as const)
    app.get(`/${folder}/:file{[a-z-]+\\.ts}`, (context) => {
      const file = `../${folder}/${context.req.param('file')}`;
      return existsSync(here(file))
        ? context.body(readScript(`./${folder}/${context.req.param('file')}`), 200, SCRIPT)
        : context.notFound();
    });
  app.get('/qa/themes/:theme{[a-z]+\\.css}', (context) => {
    const file = join(THEMES, context.req.param('theme'));
    return existsSync(file) ? context.body(readFileSync(file), 200, STYLES) : context.notFound();
  });
  app.get('/qa/policy', (context) => {
    const { endpoint, platform, images = '', code } = context.req.query();
    const { proxy, socket } = getOrigins();
    try {
      return context.text(
        contentSecurityPolicy({
          endpoint: endpoint || proxy,
          platform: platform ?? socket,
          images: images.split(/[\s,]+/).filter(Boolean),
          code: code === 'page' ? 'page' : 'proxy',
        }),
      );
    } catch (error) {
      return context.text(error instanceof Error ? error.message : String(error), 400);
    }
  });
  app.get('/qa/recordings', (context) => context.json(listRecordings()));
  app.post('/qa/replay', async (context) => {
    const { name, speed } = context.req.query();
    try {
      const text =
        name !== undefined && listRecordings().includes(name)
          ? readFileSync(join(RECORDINGS, `${name}.json`), 'utf8')
          : await context.req.text();
      const id = await replays.start(text, embedDir, Math.max(0.1, Number(speed) || 1));
      return context.json({ id });
    } catch (error) {
      return context.json({ message: error instanceof Error ? error.message : String(error) }, 400);
    }
  });
  app.get('/qa/faults', (context) => context.json(describeLink(link.conditions)));
  app.post('/qa/faults/:fault', async (context) => {
    const body: unknown = await context.req.json().catch(() => null);
    const isOn = typeof body === 'object' && body !== null && 'on' in body && body.on === true;
    const result = await applyFault(context.req.param('fault'), isOn, { link, platform: getPlatform() });
    return result === null
      ? context.json({ message: 'There is no such fault.' }, 404)
      : context.json(result.body, result.status);
  });
  return { routes: app, close: () => replays.close() };
}
