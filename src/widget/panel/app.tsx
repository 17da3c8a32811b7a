import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { useFocusFallback } from '../dom/use-focus-fallback.ts';
import { ConnectionBanner } from './banner.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Footer } from './footer/footer.tsx';
import { Header } from './header/header.tsx';
import { type PanelModel, useLazyPart, usePanel } from './model/panel-model.ts';
import { stepBack } from './model/step-back.ts';
import { Transcript } from './transcript/transcript.tsx';

/** The panel: header, banner, then home screen, consent screen or conversation. */
export function App(): VNode | null {
  const model = usePanel();
  const { chat, options, nameOf, layout, parts, terms } = model;
  const panel = useRef<HTMLElement>(null);
  useFocusFallback(panel);
  const { showHeader, platform, title, hours } = options.value;
  const gate = terms.value;
  const Screen = model.screen.value;
  const home = parts.home.code.value;
  return (
    <section
      ref={panel}
      class="panel"
      part="panel"
      role="dialog"
      aria-modal={layout.value === 'sheet' ? true : undefined}
      dir={model.direction.value}
      aria-label={title || nameOf(chat.speaker.value)}
      tabIndex={-1}
      onKeyDown={(event) => handleKey(event, model)}
    >
      <ErrorBoundary>{(showHeader ?? platform !== 'ios') && <Header />}</ErrorBoundary>
      <ErrorBoundary>
        <ConnectionBanner />
      </ErrorBoundary>
      {Screen ? (
        <ErrorBoundary>
          <Screen />
        </ErrorBoundary>
      ) : model.isAtHome.value ? (
        <ErrorBoundary>{home && <home.HomeScreen />}</ErrorBoundary>
      ) : gate?.isGated.value ? (
        <gate.ConsentScreen />
      ) : (
        <>
          <ErrorBoundary>{hours && <BusinessHours hours={hours} />}</ErrorBoundary>
          <ErrorBoundary>
            <Transcript />
          </ErrorBoundary>
          <ErrorBoundary>
            <Footer />
          </ErrorBoundary>
        </>
      )}
    </section>
  );
}

/** Escape leaves a dialog or a screen, else the panel. */
function handleKey(event: KeyboardEvent, model: PanelModel): void {
  const { layout, parts } = model;
  // A keyboard user may move to the messages next.
  if (event.key === 'Tab') parts.history.load();
  if (event.key !== 'Escape' || event.isComposing || layout.peek() === 'fullscreen') return;
  event.stopPropagation();
  // It is no request to close anything else, such as the sheet behind the menu.
  event.preventDefault();
  if (!stepBack(model)) model.close(true);
}

function BusinessHours({ hours }: { readonly hours: string }): VNode | null {
  const part = useLazyPart(usePanel().parts.hours);
  return part && <part.HoursLine hours={hours} />;
}
