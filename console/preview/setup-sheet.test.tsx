import { expect, it } from 'vitest';
import { SetupSheet } from './setup-sheet.ts';

const THEME = 'natter-chat { --natter-radius: 4px; }';

it('sets chosen properties after the theme, and leaves out values that would end the rule', () => {
  const styles = new SetupSheet();
  styles.replace(THEME, { '--natter-radius': '8px', '--natter-accent': 'red' });
  expect([...styles.sheet.cssRules].map(({ cssText }) => cssText)).toEqual([
    'natter-chat { --natter-radius: 4px; }',
    'natter-chat { --natter-radius: 8px; --natter-accent: red; }',
  ]);
  for (const value of [
    'red} html,body{background:url(https://evil.example/x)',
    'red; } @import "https://evil.example/x.css"; a {',
    '/* } body { display: none } */ red }',
    '</style><script>',
  ]) {
    styles.replace(THEME, { '--natter-bottom': value });
    expect([value, styles.sheet.cssRules.length]).toEqual([value, 2]);
    const last = styles.sheet.cssRules[1] as CSSStyleRule;
    expect(last.selectorText).toBe('natter-chat');
    expect([...last.style].every((name) => name === '--natter-bottom')).toBe(true);
  }
});
