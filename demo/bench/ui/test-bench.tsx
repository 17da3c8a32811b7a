import type { ComponentChildren, VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import { useSearch } from '../../../console/location.ts';
import {
  Button,
  CheckField,
  EmptyState,
  Page,
  SelectField,
  TabList,
  TabPanel,
  useCommands,
} from '../../../console/ui/index.ts';
import { HOST_PAGES } from '../host-pages.ts';
import { BenchModel } from './bench-model.ts';
import { DEVICES } from './devices.ts';
import { FaultsPanel } from './faults-panel.tsx';
import { FramesPanel } from './frames-panel.tsx';
import { LogPanel } from './log-panel.tsx';
import { PolicyPanel } from './policy-panel.tsx';
import { RecordingsPanel } from './recordings-panel.tsx';
import { Stage } from './stage.tsx';
import './test-bench.css';
import { WidgetPanel } from './widget-panel.tsx';

const REPLAY_PAGE = '/bench/replay.html';

/**
 * The widget on a page of choice and on a screen of choice, with its log, its faults and its recordings. `demo` is
 * the origin of the demo, whose pages are shown; without one, recordings can be replayed and nothing else.
 */
export function TestBench({ demo }: { demo: string | null }): VNode {
  const [model] = useState(() => new BenchModel());
  const [search, change] = useSearch();
  const shown = search.get('tab') ?? (demo === null ? 'recordings' : 'log');
  const id = useId();
  const replay = model.replay.value;
  const tools = [
    { id: 'log', name: 'Log', panel: <LogPanel model={model} /> },
    { id: 'faults', name: 'Faults', panel: <FaultsPanel demo={replay === null ? demo : null} /> },
    { id: 'frames', name: 'Frames', panel: <FramesPanel model={model} /> },
    { id: 'widget', name: 'Widget', panel: <WidgetPanel model={model} /> },
    { id: 'recordings', name: 'Recordings', panel: <RecordingsPanel model={model} /> },
    { id: 'policy', name: 'CSP', panel: <PolicyPanel demo={demo} /> },
  ];
  useCommands('test-bench', [
    { group: 'Test bench', name: 'Reload the page', run: () => model.reload() },
    { group: 'Test bench', name: 'Clear the log', run: () => model.clear() },
  ]);
  return (
    <Page title="Test bench" summary="The widget with every frame and event. Tokens are never shown." isWide>
      <Toolbar model={model} demo={demo} />
      <div class="bench">
        <section class="bench-page" aria-label="Page">
          <ShownPage model={model} demo={demo} />
        </section>
        <div class="bench-tools">
          <TabList
            id={id}
            label="Tools"
            tabs={tools}
            shown={shown}
            onShow={(tool) => change({ tab: tool })}
          />
          {tools.map((tool) => (
            <TabPanel key={tool.id} id={id} tab={tool.id} isHidden={tool.id !== shown}>
              {tool.panel}
            </TabPanel>
          ))}
        </div>
      </div>
    </Page>
  );
}

function usePage(): (typeof HOST_PAGES)[number] | undefined {
  const [search] = useSearch();
  const wanted = search.get('page');
  return HOST_PAGES.find(({ id }) => id === wanted) ?? HOST_PAGES[0];
}

function Toolbar({ model, demo }: { model: BenchModel; demo: string | null }): VNode {
  const [search, change] = useSearch();
  const page = usePage();
  const { isRightToLeft, isMotionReduced, areColoursForced, scheme } = model.settings.value;
  const isReplay = model.replay.value !== null;
  return (
    <div class="toolbar bench-toolbar">
      {demo !== null && !isReplay && (
        <SelectField
          label="Page"
          options={HOST_PAGES.map(({ id, name }) => [id, name] as const)}
          value={page?.id ?? ''}
          onChange={({ currentTarget }) => change({ page: currentTarget.value })}
        />
      )}
      <SelectField
        label="Screen"
        options={DEVICES.map(({ id, name }) => [id, name] as const)}
        value={search.get('screen') ?? 'room'}
        onChange={({ currentTarget }) => change({ screen: currentTarget.value })}
      />
      <SelectField
        label="Colours"
        options={[
          ['', 'System setting'],
          ['light', 'light'],
          ['dark', 'dark'],
        ]}
        value={scheme}
        onChange={({ currentTarget: { value } }) =>
          model.set({ scheme: value === 'light' || value === 'dark' ? value : '' })
        }
      />
      <CheckField
        label="Right to left"
        checked={isRightToLeft}
        onChange={(isOn) => model.set({ isRightToLeft: isOn })}
      />
      <CheckField
        label="Reduced motion"
        checked={isMotionReduced}
        onChange={(isOn) => model.set({ isMotionReduced: isOn })}
      />
      <CheckField
        label="Forced colours"
        checked={areColoursForced}
        onChange={(isOn) => model.set({ areColoursForced: isOn })}
      />
      <Button icon="refresh" onClick={() => model.reload()}>
        Reload
      </Button>
      {isReplay && <Button onClick={() => model.stopReplay()}>End replay</Button>}
    </div>
  );
}

/** The page in its frame, with a note what to look at. */
function ShownPage({ model, demo }: { model: BenchModel; demo: string | null }): VNode {
  const [search] = useSearch();
  const page = usePage();
  const replay = model.replay.value;
  if (replay === null && (demo === null || page === undefined))
    return (
      <EmptyState title="Choose a recording on the right" icon="bench">
        Pages with a widget that talks to this platform, and faults, are there where the demo runs:{' '}
        <code>npm start</code> in a clone of the repository.
      </EmptyState>
    );
  const device = DEVICES.find(({ id }) => id === search.get('screen')) ?? DEVICES[0];
  const note: ComponentChildren =
    replay === null ? page?.note : 'This is a replay. See the Recordings tab for the visitor’s steps.';
  const address = `${demo}/bench/pages/${page?.id}`;
  return (
    <>
      <p class="quiet bench-note">
        {note}{' '}
        {replay === null && (
          <a href={address} target="_blank" rel="noreferrer">
            Open it alone
          </a>
        )}
      </p>
      {device !== undefined && (
        <Stage
          model={model}
          src={replay === null ? address : `${REPLAY_PAGE}?run=${replay.run}`}
          title={replay === null ? `Page: ${page?.name}` : `Replay: ${replay.recording.title}`}
          sandbox={replay === null ? page?.sandbox : undefined}
          device={device}
        />
      )}
    </>
  );
}
