import type { VNode } from 'preact';
import { Announcer } from './announcer.tsx';
import { ConnectionBanner } from './banner.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { type PanelModel, PanelProvider } from './panel-model.ts';
import { Transcript } from './transcript.tsx';
import { view } from './view.ts';

/** Everything inside the panel's frame. */
export function App({ model }: { model: PanelModel }): VNode {
  return (
    <PanelProvider model={model}>
      <Panel model={model} />
      <Announcer />
    </PanelProvider>
  );
}

const Panel = view(({ model }: { model: PanelModel }) => {
  const { options, agentName, layout, overlay } = model;
  const { showHeader, platform, title } = options.value;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing || layout.peek() === 'fullscreen') return;
    event.stopPropagation();
    if (overlay.peek() === 'none') {
      model.close();
      return;
    }
    overlay.value = 'none';
    model.focusComposer();
  };
  return (
    <section
      class="panel"
      role="dialog"
      dir={model.direction.value}
      aria-label={title ?? agentName.value}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      {(showHeader ?? platform !== 'ios') && <Header />}
      <ConnectionBanner />
      <Transcript />
      <Footer />
    </section>
  );
});
