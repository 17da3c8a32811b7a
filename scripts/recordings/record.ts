import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, expect, type Page } from '@playwright/test';
import { keepSecrets, writeDemoConfig } from '../../demo/demo-config.ts';
import { Recorder, type TracedFrame } from '../../demo/recording/recorder.ts';
import type { RecordedLine } from '../../demo/recording/recording.ts';
import { writeRecording } from '../../demo/recording/write-recording.ts';
import { type Demo, startDemo } from '../../demo/start-demo.ts';
import { ChatPanel } from '../../e2e/page/chat-panel.ts';
import { findFreePort } from '../../e2e/stack/free-port.ts';
import { launchChromium } from '../../test/chromium/launch-chromium.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';

/** The widget's events, as the page has them. */
interface FrameSource {
  on(event: 'frame', handler: (frame: TracedFrame) => void): void;
}

/** Starts the demo with a scenario's changes to its configuration. */
async function startFor({ change }: Scenario, folder: string, modelUrl: string): Promise<Demo> {
  const portBase = await findFreePort();
  const configFile = writeDemoConfig(
    folder,
    keepSecrets(folder),
    `http://localhost:${portBase}`,
    false,
    null,
  );
  const config: Record<string, unknown> = JSON.parse(readFileSync(configFile, 'utf8'));
  change?.(config, modelUrl);
  writeFileSync(configFile, JSON.stringify(config), { mode: 0o600 });
  return await startDemo({
    portBase,
    dataDir: folder,
    configFile,
    platformUrl: null,
    hasDesk: false,
    onProgress: () => {},
    onCrash(message) {
      throw new Error(message);
    },
  });
}

async function traceFrames(page: Page, recorder: Recorder): Promise<void> {
  await page.exposeFunction('takeFrame', (frame: TracedFrame) => recorder.take(frame));
  await page.addInitScript(() => {
    addEventListener('load', () => {
      const widget = Object(window)['Natter'] as FrameSource;
      widget.on('frame', Reflect.get(window, 'takeFrame'));
    });
  });
}

function isEvent(line: RecordedLine, type: string): boolean {
  return line.way === 'in' && line.frame.type === type;
}

async function record(name: string, scenario: Scenario, browser: Browser): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'natter-record-'));
  const model = await scenario.startModel?.();
  const demo = await startFor(scenario, folder, model?.url ?? '');
  try {
    const page = await browser.newPage({ locale: 'en-GB', timezoneId: 'Europe/London' });
    const recorder = new Recorder();
    await traceFrames(page, recorder);
    await page.goto(demo.urls.demo);
    const chat = new ChatPanel(page);
    await chat.open();
    await chat.expectQuiet();
    await scenario.act({
      chat,
      page,
      siteUrl: demo.urls.demo,
      expectEvent: (type) =>
        expect.poll(() => recorder.finish(name).lines.some((line) => isEvent(line, type))).toBe(true),
    });
    const recording = recorder.finish(scenario.title, scenario.offers);
    writeFileSync(new URL(`../../e2e/recordings/${name}.json`, import.meta.url), writeRecording(recording));
    console.log(`${name}: ${recording.lines.length} frames, ${recording.lines.at(-1)?.atMs} ms`);
    await page.close();
  } finally {
    await demo.close();
    await model?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const { positionals } = parseArgs({ allowPositionals: true });
const unknown = positionals.find((name) => !Object.hasOwn(SCENARIOS, name));
if (unknown !== undefined) {
  console.error(`There is no scenario "${unknown}". Known: ${Object.keys(SCENARIOS).join(', ')}`);
  process.exit(2);
}
const browser = await launchChromium();
try {
  for (const [name, scenario] of Object.entries(SCENARIOS))
    if (positionals.length === 0 || positionals.includes(name)) await record(name, scenario, browser);
} finally {
  await browser.close();
}
