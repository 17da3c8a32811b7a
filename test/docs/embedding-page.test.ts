import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { demoPolicy } from '../../demo/site-server/content-security-policy.ts';
import { ATTRIBUTES } from '../../src/embed/attributes.ts';
import { LOADERS } from '../../src/widget/locales/catalogue.ts';

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const page = read('docs/embedding.md');

/** Returns the first column of the table under a heading, without text in brackets. */
function firstColumn(heading: string): readonly string[] {
  const section = page.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\| `([\w-]+)/gm)].map(([, name = '']) => name).toSorted();
}

/** Returns the member names of an interface in a source file. */
function membersOf(path: string, name: string): readonly string[] {
  const body = new RegExp(`interface ${name}\\b[^{]*\\{\\n([\\s\\S]*?)\\n\\}`).exec(read(path))?.[1] ?? '';
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)[(:<]/gm)].map(([, member = '']) => member).toSorted();
}

describe('docs/embedding.md', () => {
  it('docs/embedding.md has every attribute and no other', () => {
    expect(firstColumn('Attributes')).toEqual(
      Object.keys(ATTRIBUTES)
        .map((name) => `data-${name}`)
        .toSorted(),
    );
  });

  it('docs/embedding.md has every method and no other', () => {
    const methods = [
      ...membersOf('src/embed/create-widget.ts', 'NatterWidget'),
      ...membersOf('src/embed/commands.ts', 'WidgetCommands'),
    ].toSorted();
    expect(methods).toContain('destroy');
    expect(firstColumn('Methods')).toEqual(methods);
  });

  it('docs/embedding.md has every language and no other', () => {
    expect(firstColumn('Languages')).toEqual([...Object.keys(LOADERS)].toSorted());
  });

  it('docs/embedding.md has every event and no other', () => {
    const events = [
      ...membersOf('src/embed/widget-events.ts', 'WidgetEvents'),
      ...membersOf('src/widget/options.ts', 'WidgetEvents'),
    ].toSorted();
    expect(events).toContain('frame');
    expect(events).toContain('open');
    expect(firstColumn('Events')).toEqual(events);
  });

  it('asks of a Content Security Policy what the demo pages allow', () => {
    const platform = 'https://platform.example.com';
    const origins = { proxy: 'https://chat.example.com', socket: 'wss://platform.example.com', platform };
    const allowed = demoPolicy(origins).split('; ');
    const [policy = ''] = /^default-src .*$/m.exec(page) ?? [];
    for (const directive of policy.split('; ')) {
      const [name, ...sources] = directive.split(' ');
      const ofDemo = allowed.find((other) => other.startsWith(`${name} `))?.split(' ') ?? [];
      expect(ofDemo, directive).toEqual(expect.arrayContaining(sources));
    }
    expect(policy).not.toContain('unsafe');
  });
});
