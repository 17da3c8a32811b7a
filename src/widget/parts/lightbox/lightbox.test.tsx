import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';

// Loads the lazy parts up front, because their loading is not tested here.
import '../../../../test/widget/all-parts.ts';
import './open-lightbox.tsx';

let view: MountedPanel;
/** Lets the held picture load. */
let letCome: (width: number, height: number) => Promise<void>;

const SRC = new URL('/demo/gallery/public/picture.svg', location.href).href;

/** Returns a picture of this size as a data address. */
function draw(width: number, height: number): Promise<string> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  return new Promise((resolve) => {
    canvas.toBlob((blob) => resolve(URL.createObjectURL(blob ?? new Blob())));
  });
}

beforeEach(async () => {
  view = mountPanel();
  view.panel.open(true);
  view.chat.says('This is the cabin:', {
    attachments: [
      { kind: 'image', contentUrl: SRC, title: 'Cabin', previewImageUrl: null, callToActionText: null },
    ],
  });
  view.chat.asks('And what stands below it?');
  await vi.waitFor(() => view.find('.picture img'));
  const image = view.find<HTMLImageElement>('.picture img');
  letCome = async (width, height) => {
    image.src = await draw(width, height);
    await image.decode();
    await vi.waitFor(() => expect(image.naturalWidth).toBe(width));
    await new Promise((resolve) => requestAnimationFrame(resolve));
  };
});
afterEach(() => {
  view.destroy();
});

/** Top of the next message, and the box of the picture with its ratio of 4 to 3. */
function measure(): { readonly below: number; readonly ratio: number } {
  const { width, height } = link().getBoundingClientRect();
  return { below: view.find('.visitor').offsetTop, ratio: Math.round((100 * width) / height) };
}

const link = () => view.find<HTMLAnchorElement>('.picture a');
const dialog = () => view.root.querySelector<HTMLDialogElement>('dialog');

async function open(): Promise<HTMLDialogElement> {
  link().focus();
  link().click();
  await vi.waitFor(() => expect(dialog()?.open).toBe(true));
  return dialog() as HTMLDialogElement;
}

describe('a picture in the conversation', () => {
  it.each([
    ['wide', 1600, 400],
    ['high', 300, 1200],
    ['of nearly the shape of its place', 600, 400],
    ['small', 20, 20],
  ])('moves nothing when a picture loads that is %s', async (_, width, height) => {
    const before = measure();
    expect(before.ratio).toBe(133);
    await letCome(width, height);
    expect(measure()).toEqual(before);
  });

  it('moves nothing when a picture does not load', async () => {
    const before = measure();
    view.find('.picture img').dispatchEvent(new Event('error'));
    await vi.waitFor(() => view.find('.picture-failed'));
    expect(measure()).toEqual(before);
    // Its visible label is part of its name (WCAG 2.5.3).
    expect(link().ariaLabel).toBeNull();
    expect(link().textContent).toBe('This image couldn’t be loaded. Open image: Cabin (opens in a new tab)');
  });

  it('crops a picture slightly to fill its box, and shows others in full', async () => {
    await letCome(600, 400);
    await vi.waitFor(() => expect(view.all('.picture .fills')).toHaveLength(1));
    await letCome(1600, 400);
    await vi.waitFor(() => expect(view.all('.picture .fills')).toHaveLength(0));
  });
});

describe('the lightbox', () => {
  it('opens the lightbox as a modal dialog with picture, text and name, over the panel', async () => {
    const box = await open();
    expect(box.matches(':modal')).toBe(true);
    expect(box.ariaLabel).toBe('Cabin');
    expect(box.querySelector('img')?.alt).toBe('Cabin');
    expect(box.querySelector('img')?.src).toBe(SRC);
    expect(box.querySelector('a')?.href).toBe(SRC);
    expect(box.contains(view.root.activeElement)).toBe(true);
    const { width, height } = box.getBoundingClientRect();
    expect([width, height]).toEqual([innerWidth, innerHeight]);
  });

  it('has the title of the lightbox on the panel’s start side, whatever its language', async () => {
    view.chat.language.value = 'he';
    await vi.waitFor(() => expect(view.find('.panel').dir).toBe('rtl'));
    const box = await open();
    expect(box.querySelector('bdi')?.textContent).toBe('Cabin');
    expect(box.querySelector('bdi')?.getBoundingClientRect().right).toBeCloseTo(innerWidth - 20, 0);
  });

  it('moves nothing on the page when the lightbox opens', async () => {
    const look = () => [
      document.documentElement.clientWidth,
      document.documentElement.style.overflow,
      view.find('.panel').getBoundingClientRect().left,
    ];
    // Waits until the animations of the panel have ended.
    await Promise.all(
      view
        .find('.panel')
        .getAnimations()
        .map(({ finished }) => finished),
    );
    const before = look();
    await open();
    expect(look()).toEqual(before);
  });

  it('closes the lightbox by its button and by a click beside the picture, and returns the focus', async () => {
    const box = await open();
    box.querySelector<HTMLElement>('[aria-label="Close image"]')?.click();
    await vi.waitFor(() => expect(dialog()).toBeNull());
    expect(view.root.activeElement).toBe(link());
    (await open()).querySelector<HTMLElement>('.stage')?.click();
    await vi.waitFor(() => expect(dialog()).toBeNull());
    expect(view.root.activeElement).toBe(link());
    expect(view.panel.isOpen.value).toBe(true);
  });

  it('closes the lightbox with the panel', async () => {
    await open();
    view.panel.close(false);
    await vi.waitFor(() => expect(dialog()).toBeNull());
    view.panel.open(true);
    await open();
    view.destroy();
    expect(dialog()).toBeNull();
  });

  it('leaves nothing of the lightbox in the shadow root', async () => {
    // Its own sheets: other parts' sheets load when the browser is idle.
    const ownSheets = () =>
      view.root.adoptedStyleSheets.filter(({ cssRules }) =>
        [...cssRules].some(({ cssText }) => cssText.includes('.stage')),
      ).length;
    const look = () => [ownSheets(), view.root.querySelectorAll('*').length];
    const before = look();
    const box = await open();
    expect(ownSheets()).toBe(1);
    box.close();
    await vi.waitFor(() => expect(dialog()).toBeNull());
    expect(look()).toEqual(before);
  });

  it('switches the picture in the lightbox to its own size and back', async () => {
    const box = await open();
    const button = box.querySelector<HTMLElement>('[aria-label="Actual size"]');
    expect(button?.ariaPressed).toBe('false');
    button?.click();
    await vi.waitFor(() => expect(box.querySelector('.stage.large')).not.toBeNull());
    expect(button?.ariaPressed).toBe('true');
    expect(box.querySelector<HTMLElement>('.stage')?.tabIndex).toBe(0);
    box.querySelector('img')?.click();
    await vi.waitFor(() => expect(box.querySelector('.stage.large')).toBeNull());
  });

  it('says so if the picture in the lightbox does not load', async () => {
    const box = await open();
    box.querySelector('img')?.dispatchEvent(new Event('error'));
    await vi.waitFor(() => expect(box.textContent).toContain('This image couldn’t be loaded.'));
    expect(box.querySelector('a')?.href).toBe(SRC);
  });

  it('leaves a click with a modifier key to the browser', () => {
    // Opens nothing; records whether the widget prevented the default.
    let wasTaken = true;
    const onClick = (event: Event): void => {
      wasTaken = event.defaultPrevented;
      event.preventDefault();
    };
    addEventListener('click', onClick);
    const how = { bubbles: true, cancelable: true, composed: true, ctrlKey: true };
    link().dispatchEvent(new MouseEvent('click', how));
    removeEventListener('click', onClick);
    expect(wasTaken).toBe(false);
    expect(dialog()).toBeNull();
  });
});
