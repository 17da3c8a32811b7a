import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ATTACKS } from '../../../test/widget/attacks.ts';
import { findUnsafe, RICH_TEXT } from '../../../test/widget/find-unsafe.ts';
import { type MountedPanel, mountWithMarkdown } from '../../../test/widget/mount-panel.ts';

let mounted: MountedPanel;
beforeAll(async () => {
  mounted = await mountWithMarkdown();
});
afterAll(() => mounted.destroy());

async function render(text: string, isStreaming: boolean): Promise<HTMLElement> {
  mounted.chat.messages.value = [];
  mounted.chat.says(text, { isStreaming });
  await Promise.resolve();
  await new Promise((resolve) => requestAnimationFrame(resolve));
  return mounted.find('.rich');
}

// AM-3: any agent text yields only known elements, attributes and schemes.
describe('an agent’s text', () => {
  it.each(ATTACKS)('draws the hostile answer %s as text and harmless elements', async (attack) => {
    for (const isStreaming of [true, false]) {
      const rich = await render(`Hello ${attack}\n\n${attack} **end**`, isStreaming);
      expect(findUnsafe(rich, RICH_TEXT)).toEqual([]);
    }
  });

  it('draws any mixture of hostile answers as text and harmless elements', async () => {
    const part = fc.constantFrom(
      ...ATTACKS,
      ...'**,`,```,\n,\n\n,- ,1. ,| ,|-|,<b>,</b>,<ul>,<li>,</a>,[,](,),",\',>,<,&,javascript:,on,='.split(
        ',',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 14 }), fc.boolean(), async (parts, isStreaming) => {
        const rich = await render(`x${parts.join('')}`, isStreaming);
        expect(findUnsafe(rich, RICH_TEXT)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('shows forbidden Markdown as the characters that were sent', async () => {
    const rich = await render('a <script>alert(1)</script> <img src=x onerror=y> b', false);
    expect(rich.textContent).toBe('a <script>alert(1)</script> <img src=x onerror=y> b');
  });

  it('opens links of an answer in a new tab without a reference to this page', async () => {
    const link = (await render('[x](https://x.example/y)', false)).querySelector('a');
    expect(link?.target).toBe('_blank');
    expect(link?.rel).toBe('noopener noreferrer');
  });
});
