import bloom from '../../../src/widget/themes/bloom.css?raw';
import desk from '../../../src/widget/themes/desk.css?raw';
import harbour from '../../../src/widget/themes/harbour.css?raw';
import ink from '../../../src/widget/themes/ink.css?raw';
import paper from '../../../src/widget/themes/paper.css?raw';

/** The text of each ready theme. */
export const THEME_SHEETS: Readonly<Record<string, string>> = { bloom, desk, harbour, ink, paper };
