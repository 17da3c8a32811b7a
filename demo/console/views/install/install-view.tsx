import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { useSearch } from '../../location.ts';
import { Badge, Button, Card, Page, showToast, tryTo, useCommands } from '../../ui/index.ts';
import { type Contrast, measureContrasts } from './contrast.ts';
import './install.css';
import { OptionGroups } from './option-groups.tsx';
import { readSetup, type Setup } from './options.ts';
import { Preview } from './preview.tsx';
import { type Snippet, writeSnippets } from './snippets.ts';
import { THEME_SHEETS } from './themes.ts';

const copy = (text: string, what: string): Promise<boolean> =>
  tryTo(async () => {
    await navigator.clipboard.writeText(text);
    showToast(`${what} copied`);
  });

/** Sets the widget up, and writes what is to be pasted. The address holds all of it, and no secret. */
export function InstallView(): VNode {
  const [search, change] = useSearch();
  const setup = readSetup(search);
  const snippets = writeSnippets(setup, location.origin);
  const names = [...search.keys()].filter((name) => name !== 'project');
  const reset = (): void => change(Object.fromEntries(names.map((name) => [name, null])));
  useCommands(`install ${search.toString()}`, [
    ...snippets.map(({ name, text }) => ({
      group: 'Install',
      name: `Copy: ${name}`,
      run: () => void copy(text, name),
    })),
    { group: 'Install', name: 'Start over', run: reset },
  ]);
  return (
    <Page
      title="Install"
      summary="Set the widget up, see it, and paste what comes out. The address of this page can be shared."
      actions={
        <>
          {names.length > 0 && <Button onClick={reset}>Start over</Button>}
          <Button onClick={() => void copy(location.href, 'Address')}>Copy the address</Button>
          {snippets[0] !== undefined && (
            <Button kind="main" onClick={() => void copy(snippets[0]?.text ?? '', 'Script tag')}>
              Copy the script tag
            </Button>
          )}
        </>
      }
    >
      <div class="install-columns">
        <OptionGroups setup={setup} change={change} />
        <div class="install-side">
          <Preview setup={setup} />
          <Contrasts setup={setup} />
        </div>
      </div>
      <Snippets snippets={snippets} />
    </Page>
  );
}

/** What WCAG says of the colours that come out of the chosen ones. */
function Contrasts({ setup }: { setup: Setup }): VNode {
  const key = JSON.stringify([setup.attributes.accent, setup.properties, setup.sheet]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is what the colours come from
  const schemes = useMemo(() => {
    const text = THEME_SHEETS[setup.sheet];
    const sheet = text === undefined ? null : new CSSStyleSheet();
    sheet?.replaceSync(text ?? '');
    return (['light', 'dark'] as const).map((theme) => ({
      theme,
      contrasts: measureContrasts(setup, theme, sheet),
    }));
  }, [key]);
  const isGood = schemes.every(({ contrasts }) => contrasts.every(({ ratio, least }) => ratio >= least));
  return (
    <Card
      title="Contrast"
      actions={isGood ? <Badge tone="good">WCAG AA</Badge> : <Badge tone="danger">below WCAG AA</Badge>}
    >
      <table class="install-contrasts">
        <thead>
          <tr>
            <th scope="col">Where</th>
            {schemes.map(({ theme }) => (
              <th key={theme} scope="col">
                {theme === 'light' ? 'Light' : 'Dark'}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {schemes[0]?.contrasts.map(({ name, least }, row) => (
            <tr key={name}>
              <th scope="row">
                {name} <small>at least {least}</small>
              </th>
              {schemes.map(({ theme, contrasts }) => (
                <td key={theme}>{contrasts[row] !== undefined && <Ratio contrast={contrasts[row]} />}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function Ratio({ contrast: { ratio, least, front, back } }: { contrast: Contrast }): VNode {
  return (
    <span class="install-ratio">
      <svg class="install-swatch" viewBox="0 0 28 18" aria-hidden="true">
        <rect width="28" height="18" rx="4" fill={back} />
        <circle cx="14" cy="9" r="5" fill={front} />
      </svg>
      {ratio.toFixed(1)}
      {ratio < least && <Badge tone="danger">too low</Badge>}
    </span>
  );
}

/** What is to be pasted, one way at a time. */
function Snippets({ snippets }: { snippets: readonly Snippet[] }): VNode {
  const [chosen, setChosen] = useState('script');
  const shown = snippets.find(({ id }) => id === chosen) ?? snippets[0];
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const place = snippets.findIndex(({ id }) => id === shown?.id);
    const next = snippets[(place + step + snippets.length) % snippets.length];
    if (next === undefined) return;
    setChosen(next.id);
    document.getElementById(`snippet-${next.id}`)?.focus();
  };
  return (
    <Card title="To paste">
      <div class="install-tabs" role="tablist" aria-label="Ways of embedding" onKeyDown={move}>
        {snippets.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`snippet-${id}`}
            aria-selected={id === shown?.id}
            aria-controls="snippet"
            tabIndex={id === shown?.id ? 0 : -1}
            onClick={() => setChosen(id)}
          >
            {name}
          </button>
        ))}
      </div>
      {shown !== undefined && (
        <div class="install-snippet" role="tabpanel" id="snippet" aria-labelledby={`snippet-${shown.id}`}>
          <div class="toolbar">
            <p class="quiet grow">{shown.where}</p>
            <Button onClick={() => void copy(shown.text, shown.name)}>Copy</Button>
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
          <pre tabIndex={0}>
            <code>{shown.text}</code>
          </pre>
        </div>
      )}
    </Card>
  );
}
