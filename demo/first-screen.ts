import type { DemoUrls } from './demo-run.ts';

/** The first screen of `npm start` and `npm run dev`. */
export interface FirstScreen {
  readonly urls: DemoUrls;
  readonly dataDir: string;
  /** Ports that other programs listen on. */
  readonly taken: readonly number[];
  /** The documentation is built and served, at `/docs/` of the platform. */
  readonly hasDocs: boolean;
  /** Edits are shown as they are made. */
  readonly isDevelopment: boolean;
}

const LABEL_WIDTH = 15;
const row = (label: string, value: string): string => `  ${label.padEnd(LABEL_WIDTH)}${value}`;

/** Says in one line which ports are taken; null when none is. */
function describeTaken(taken: readonly number[]): string | null {
  if (taken.length === 0) return null;
  const [one, ...others] = taken;
  return others.length === 0
    ? `Port ${one} is in use, so a free one is used instead.`
    : `Ports ${taken.slice(0, -1).join(', ')} and ${taken.at(-1)} are in use, so free ones are used instead.`;
}

/** Writes the first screen. The three addresses that a newcomer needs are its last lines. */
export function writeFirstScreen(screen: FirstScreen): string {
  const { urls, dataDir, taken, hasDocs, isDevelopment } = screen;
  const keys = dataDir === '.natter' ? 'npm run keys' : `npm run keys -- --data ${dataDir}`;
  const lines = [
    'Natter is running. Press Ctrl-C to stop it.',
    isDevelopment ? 'Your edits are applied as you save.' : null,
    describeTaken(taken),
    '',
    row('Token proxy', urls.proxy),
    row('Platform', urls.platform),
    hasDocs ? row('Documentation', `${urls.platform}docs/ (building…)`) : null,
    row('Keys', keys),
    '',
    row('Demo site', urls.demo),
    row('Test bench', urls.bench),
    urls.console === null ? null : row('Console', urls.console),
  ];
  return lines.filter((line) => line !== null).join('\n');
}
