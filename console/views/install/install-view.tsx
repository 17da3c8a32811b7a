import type { VNode } from 'preact';
import { useId, useMemo, useState } from 'preact/hooks';
import { useSearch } from '../../location.ts';
import { isAdmin, tokenProxyUrl } from '../../session.ts';
import { Badge, Button, Card, Page, TabList, TabPanel, useCommands } from '../../ui/index.ts';
import { type Contrast, measureContrasts } from './contrast.ts';
import { copyText } from './copy-text.ts';
import './install.css';
import { OptionGroups, PROXY_FIELD } from './option-groups.tsx';
import { completeSetup, findProblem, readSetup, type Setup } from './options.ts';
import { Preview } from './preview.tsx';
import { writeRecipes } from './recipes.ts';
import { SiteCheck } from './site-check.tsx';
import { proxyOf, type Snippet, writeSnippets } from './snippets.ts';
import { THEME_SHEETS } from './themes.ts';

/** Configures the widget and writes the snippets. The address holds the whole set-up, and no secret. */
export function InstallView(): VNode {
  const [search, change] = useSearch();
  const given = readSetup(search);
  const setup = completeSetup(given, tokenProxyUrl.value);
  const proxy = proxyOf(setup);
  const hasProxy = proxy !== '' && findProblem('endpoint', proxy) === null;
  const snippets = hasProxy ? writeSnippets(setup, location.origin) : [];
  const recipes = hasProxy ? writeRecipes(setup) : [];
  const names = [...search.keys()].filter((name) => name !== 'project');
  const reset = (): void => change(Object.fromEntries(names.map((name) => [name, null])));
  useCommands(`install ${search.toString()}`, [
    ...[...snippets, ...recipes].map(({ name, text }) => ({
      group: 'Install',
      name: `Copy: ${name}`,
      run: () => void copyText(text, name),
    })),
    { group: 'Install', name: 'Reset the settings', run: reset },
  ]);
  return (
    <Page
      title="Install"
      summary="Configure the widget, preview it and copy the snippet. This page’s link holds your settings."
      actions={
        <>
          {names.length > 0 && <Button onClick={reset}>Reset</Button>}
          <Button onClick={() => void copyText(location.href, 'Link')}>Copy link</Button>
          {snippets[0] !== undefined && (
            <Button kind="main" onClick={() => void copyText(snippets[0]?.text ?? '', 'Script tag')}>
              Copy script tag
            </Button>
          )}
        </>
      }
    >
      <div class="install-columns">
        <OptionGroups setup={given} change={change} />
        <div class="install-side">
          <Preview setup={setup} />
          <Contrasts setup={setup} />
        </div>
      </div>
      {hasProxy ? (
        <>
          <Snippets title="In your system" snippets={recipes} />
          <Snippets title="In code" snippets={snippets} />
        </>
      ) : (
        <MissingProxy />
      )}
      {isAdmin.value && (
        <SiteCheck site={setup.site} proxyUrl={hasProxy ? proxy : null} project={search.get('project')} />
      )}
    </Page>
  );
}

/** Replaces the snippets while they could not load the widget. */
function MissingProxy(): VNode {
  const focus = (): void => document.getElementById(PROXY_FIELD)?.querySelector('input')?.focus();
  return (
    <Card title="Your script tag">
      <p>
        The tag loads the chat from your token proxy, whose address isn’t set on this platform. Enter it to
        get the tag.
      </p>
      <p class="quiet">
        Operators set NATTER_TOKEN_PROXY_URL on the platform; the address is then filled in for everyone.
      </p>
      <div class="toolbar">
        <Button kind="main" onClick={focus}>
          Enter the address
        </Button>
      </div>
    </Card>
  );
}

/** The WCAG contrast of the colours that are derived from the chosen ones. */
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
      {ratio < least && <Badge tone="danger">Too low</Badge>}
    </span>
  );
}

/** Snippets, one way of embedding at a time. */
function Snippets({ title, snippets }: { title: string; snippets: readonly Snippet[] }): VNode {
  const [chosen, setChosen] = useState(snippets[0]?.id ?? '');
  const id = useId();
  const shown = snippets.find((snippet) => snippet.id === chosen) ?? snippets[0];
  return (
    <Card title={title}>
      <TabList id={id} label={title} tabs={snippets} shown={shown?.id ?? ''} onShow={setChosen} />
      {shown !== undefined && (
        <TabPanel id={id} tab={shown.id} class="install-snippet">
          <div class="toolbar">
            <p class="quiet grow">{shown.where}</p>
            <Button onClick={() => void copyText(shown.text, shown.name)}>Copy</Button>
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
          <pre tabIndex={0}>
            <code>{shown.text}</code>
          </pre>
        </TabPanel>
      )}
    </Card>
  );
}
