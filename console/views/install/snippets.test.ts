// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { completeSetup, type Setup } from './options.ts';
import { writeSnippets } from './snippets.ts';

const write = (setup: Partial<Setup>): Readonly<Record<string, string>> => {
  const whole = { attributes: {}, properties: {}, sheet: '', site: '', ...setup };
  const snippets = writeSnippets(
    completeSetup(whole, 'https://chat.kittiwake.example/natter'),
    'https://platform.example.com',
  );
  return Object.fromEntries(snippets.map(({ id, text }) => [id, text]));
};

it('a set-up with nothing chosen is one line with the address of this installation, with placeholders for what is secret', () => {
  const { script, proxy, css } = write({});
  expect(script).toBe('<script src="https://chat.kittiwake.example/natter/natter.js" defer></script>');
  expect(css).toBeUndefined();
  expect(proxy?.split('\n')).toEqual([
    'NATTER_UPSTREAM_URL=https://platform.example.com',
    'NATTER_CONNECTOR_TOKEN=CONNECTOR_TOKEN',
    'NATTER_CONNECTOR_HOST=SITE_HOST',
    expect.stringContaining('npx @natter/token-proxy key'),
    'NATTER_TICKET_KEYS=TICKET_KEY',
    'NATTER_ALLOWED_ORIGINS=https://SITE_HOST',
  ]);
});

it('texts in snippets cannot become code wherever they are pasted', () => {
  const title = 'Say "hi" & </script><b>go</b> {now}';
  const { script = '', react, vue, npm } = write({ attributes: { title, consent: 'true' } });
  const page = new DOMParser().parseFromString(script, 'text/html');
  expect(page.querySelector('script')?.dataset['title']).toBe(title);
  expect(page.querySelectorAll('b')).toHaveLength(0);
  for (const text of [react, vue, npm]) {
    expect(text).not.toContain('</script><b>');
    expect(text).toContain('"Say \\"hi\\" & \\u003c/script>\\u003cb>go\\u003c/b> {now}"');
  }
  expect(react).toContain('      consent\n');
  expect(vue).toContain('  consent: true,');
});

it('lists are code for npm and JSON for the script tag', () => {
  const rule = { id: 'fares', text: "Can't find it?", afterSeconds: 20 };
  const { script, npm } = write({ attributes: { proactive: JSON.stringify([rule]) } });
  const page = new DOMParser().parseFromString(script ?? '', 'text/html');
  expect(JSON.parse(page.querySelector('script')?.dataset['proactive'] ?? '')).toEqual([rule]);
  expect(npm).toContain('"afterSeconds": 20');
});

it('names every source that the policy needs, and the theme where one is chosen', () => {
  const { csp, script, css } = write({
    attributes: {
      endpoint: 'https://help.example.org/chat/',
      avatar: 'https://img.example.org/ada.png',
      'image-hosts': 'cdn.example.org',
    },
    properties: { '--natter-radius': '0.5; } body { display: none' },
    sheet: 'ink',
  });
  expect(csp?.split('\n').slice(1)).toEqual([
    '  script-src https://help.example.org;',
    '  connect-src https://help.example.org wss://platform.example.com;',
    "  img-src 'self' https://help.example.org https://img.example.org https://cdn.example.org;",
    '  style-src https://help.example.org',
  ]);
  expect(script).toContain('<link rel="stylesheet" href="https://help.example.org/chat/natter/ink.css">');
  expect(css).toBe('natter-chat {\n  --natter-radius: 0.5  body  display: none;\n}');
});
