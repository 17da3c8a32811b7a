import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type MountedPanel, mountPanel } from '../testing/mount-panel.ts';

// AM-3: whatever an agent's text holds, only these elements, these attributes and these schemes come of it.
const ELEMENTS = new Set(
  'DIV,P,H3,H4,UL,OL,LI,A,BR,STRONG,EM,CODE,PRE,TABLE,THEAD,TBODY,TR,TH,TD,BUTTON,svg,path'.split(','),
);
const ATTRIBUTES = new Set(
  'class,dir,href,target,rel,start,scope,tabindex,role,aria-label,aria-hidden,type,data-part,width,height,viewBox,fill,stroke,stroke-width,stroke-linecap,stroke-linejoin,focusable,d'.split(
    ',',
  ),
);

let mounted: MountedPanel | undefined;
afterEach(() => {
  mounted?.destroy();
  mounted = undefined;
});

async function render(text: string, isStreaming: boolean): Promise<HTMLElement> {
  mounted?.destroy();
  mounted = mountPanel();
  mounted.chat.says(text, { isStreaming });
  await Promise.resolve();
  await new Promise((resolve) => requestAnimationFrame(resolve));
  return mounted.find('.rich');
}

function findUnsafe(root: HTMLElement): readonly string[] {
  return [...root.querySelectorAll('*')].flatMap((element) => {
    const faults = ELEMENTS.has(element.tagName) ? [] : [`<${element.tagName}>`];
    for (const { name, value } of element.attributes) {
      if (!ATTRIBUTES.has(name)) faults.push(`${element.tagName} ${name}`);
      if (name === 'href' && !/^(?:https?|mailto|tel):/.test(value)) faults.push(`href ${value}`);
    }
    if (element instanceof HTMLAnchorElement && element.rel !== 'noopener noreferrer') faults.push('rel');
    return faults;
  });
}

const ATTACKS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href="&#106;avascript&colon;alert(1)">x</a>',
  '<a href=" &#14; javascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="https://x.example" onclick="alert(1)" style="position:fixed">x</a>',
  '<a href="https://x.example" target="_self" rel="opener">x</a>',
  '<b onmouseover=alert(1)>x</b>',
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<code><img src=x onerror=alert(1)></code>',
  '<ul><li><iframe srcdoc="<script>alert(1)</script>"></iframe></li></ul>',
  '[x](javascript:alert(1))',
  '[x](javascript&colon;alert(1))',
  '[x](&#x6A;avascript:alert(1))',
  '[x](<javascript:alert(1)>)',
  '[x](  javascript:alert(1) "t")',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](file:///etc/passwd)',
  '[x](//x.example)',
  '![x](javascript:alert(1))',
  '![x" onerror="alert(1)](https://x.example/p.png)',
  '<javascript:alert(1)>',
  '<https://x.example/"onclick="alert(1)>',
  '`<img src=x onerror=alert(1)>`',
  '```"><script>alert(1)</script>\nx\n```',
  '| <img src=x onerror=alert(1)> |\n|---|\n| <svg onload=alert(1)> |',
  '# <style>*{display:none}</style>',
  // Texts that only become harmful when a browser parses, prints and parses them again.
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<p><template><b></template><script>alert(1)</script>',
  '<a href="https://x.example"><a href="javascript:alert(1)">x</a></a>',
  '<b><i></b><img src=x onerror=alert(1)></i>',
  '&lt;img src=x onerror=alert(1)&gt;',
  '&amp;lt;script&amp;gt;alert(1)',
  '<br onload=alert(1)/>',
  '<li value=1 onfocus=alert(1) autofocus>',
  '<ol start="1" onscroll=alert(1)><li>x</ol>',
] as const;

describe('an agent’s text', () => {
  it.each(ATTACKS)('stays text and harmless elements: %s', async (attack) => {
    for (const isStreaming of [true, false]) {
      expect(findUnsafe(await render(`Hello ${attack}\n\n${attack} **end**`, isStreaming))).toEqual([]);
    }
  });

  it('stays so in any mixture', async () => {
    const part = fc.constantFrom(
      ...ATTACKS,
      ...'**,`,```,\n,\n\n,- ,1. ,| ,|-|,<b>,</b>,<ul>,<li>,</a>,[,](,),",\',>,<,&,javascript:,on,='.split(
        ',',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 14 }), fc.boolean(), async (parts, isStreaming) => {
        expect(findUnsafe(await render(`x${parts.join('')}`, isStreaming))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('shows what it may not be as the characters that were sent', async () => {
    const rich = await render('a <script>alert(1)</script> <img src=x onerror=y> b', false);
    expect(rich.textContent).toBe('a <script>alert(1)</script> <img src=x onerror=y> b');
  });

  it('opens links in a new tab that knows nothing of this page', async () => {
    const link = (await render('[x](https://x.example/y)', false)).querySelector('a');
    expect(link?.target).toBe('_blank');
    expect(link?.rel).toBe('noopener noreferrer');
  });
});
