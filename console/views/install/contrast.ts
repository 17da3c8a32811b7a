import '../../../src/widget/styles/tokens.css';
import type { Setup } from './options.ts';

/** Two colours that stand on each other, as the widget makes them of the chosen ones. */
export interface Contrast {
  readonly name: string;
  readonly ratio: number;
  /** The contrast that WCAG 2.2 AA requires: 4.5 for text, 3 for edges and icons. */
  readonly least: number;
  readonly front: string;
  readonly back: string;
}

const PAIRS = [
  ['Agent’s messages', '--_text', '--_surface', 4.5],
  ['Times and small print', '--_text2', '--_surface', 4.5],
  ['Visitor’s messages, launcher', '--_on-accent', '--_accent', 4.5],
  ['Links and suggestions', '--_ink-accent', '--_surface', 4.5],
  ['Edge of the field', '--_ink-accent', '--_surface', 3],
] as const;

type Rgb = readonly [red: number, green: number, blue: number];

let canvas: CanvasRenderingContext2D | null = null;

/** A colour as the screen shows it. */
function readColour(colour: string): Rgb {
  canvas ??= Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', {
    willReadFrequently: true,
  });
  if (canvas === null) return [0, 0, 0];
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

function luminanceOf(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours by WCAG, 1 to 21. */
function contrastOf(one: Rgb, other: Rgb): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Measures the widget's colours in one scheme, from its own style sheet. */
export function measureContrasts(
  { attributes, properties }: Setup,
  theme: 'light' | 'dark',
  sheet: CSSStyleSheet | null,
): readonly Contrast[] {
  const host = document.createElement('natter-chat');
  host.hidden = true;
  const probe = document.createElement('div');
  probe.className = 'frame';
  probe.dataset['theme'] = theme;
  for (const name of ['--natter-neutral', '--natter-surface'])
    if (properties[name]) host.style.setProperty(name, properties[name]);
  if (attributes.accent) host.style.setProperty('--natter-accent', attributes.accent);
  // A colour for both sides follows the scheme.
  host.style.setProperty('color-scheme', theme);
  host.append(probe);
  document.body.append(host);
  const own = document.adoptedStyleSheets;
  if (sheet !== null) document.adoptedStyleSheets = [...own, sheet];
  const resolve = (name: string): string => {
    probe.style.setProperty('color', `var(${name})`);
    return getComputedStyle(probe).color;
  };
  const measured = PAIRS.map(([name, front, back, least]) => {
    const [shown, behind] = [readColour(resolve(front)), readColour(resolve(back))];
    const write = (rgb: Rgb): string => `rgb(${rgb.join(' ')})`;
    return { name, least, ratio: contrastOf(shown, behind), front: write(shown), back: write(behind) };
  });
  document.adoptedStyleSheets = own;
  host.remove();
  return measured;
}
