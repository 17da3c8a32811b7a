import { describe, expect, it } from 'vitest';
import { writeWelcome } from './write-welcome.ts';

const url = 'http://127.0.0.1:8787/chat';

describe('what the operator reads at the start', () => {
  it('prints the address and the tag to paste', () => {
    const text = writeWelcome({ url, servesWidget: true, connectors: ['sales', 'default'] });
    expect(text).toContain(`listens on ${url}\n`);
    expect(text).toContain(`\n  <script src="${url}/natter.js" defer></script>\n`);
  });

  it('names the connector in the tag if there is no default one', () => {
    const text = writeWelcome({ url, servesWidget: true, connectors: ['a"<b', 'other'] });
    expect(text).toContain(`<script src="${url}/natter.js" data-connector="a&quot;&lt;b" defer></script>`);
  });

  it('explains where the script comes from when the proxy does not serve it', () => {
    const text = writeWelcome({ url, servesWidget: false, connectors: ['default'] });
    expect(text).toContain('NATTER_EMBED_DIR');
    expect(text).toContain(`<script src="/natter.js" data-endpoint="${url}" defer></script>`);
  });
});
