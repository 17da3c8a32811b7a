import { expect, test } from './visit.ts';

const BODY = `
  <h1>Shortcuts</h1>
  <input type="search" aria-label="Search the page" data-hotkey="s,/">
  <button data-hotkey="e" onclick="pressed.push('e')">Edit</button>
  <button data-hotkey="l e" onclick="pressed.push('l e')">Labels</button>
  <script>window.pressed = [];</script>`;

const readPressed = () => Reflect.get(window, 'pressed');

test('letters typed in the chat press no button of @github/hotkey, but those typed in the page do', async ({
  page,
  chat,
  visit,
}) => {
  await visit({
    body: BODY,
    script: `import { install } from '@github/hotkey';
      for (const element of document.querySelectorAll('[data-hotkey]')) install(element);`,
  });
  await page.keyboard.press('e');
  expect(await page.evaluate(readPressed)).toEqual(['e']);
  await chat.open();
  await chat.expectQuiet();
  await chat.composer.click();
  await page.keyboard.type('please help / e');
  await expect(chat.composer).toHaveValue('please help / e');
  expect(await page.evaluate(readPressed)).toEqual(['e']);
  await page.keyboard.press('Enter');
  await expect(chat.messages('user')).toHaveText(/please help \/ e/);
});

/** Listens like pages do, on the window and on the document, in both phases. */
const listenAsPages = (): void => {
  const seen: string[] = [];
  Reflect.set(window, 'seen', seen);
  const types = ['keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'copy', 'cut', 'paste', 'click'];
  types.push('pointerdown', 'pointerup', 'mousedown', 'mouseup', 'dblclick', 'contextmenu', 'wheel');
  types.push('focus', 'blur', 'focusin', 'focusout', 'selectstart', 'compositionstart', 'compositionend');
  for (const type of types)
    for (const target of [window, document])
      for (const capture of [false, true])
        target.addEventListener(
          type,
          (event) => {
            if (event.composedPath().some((each) => each instanceof Element && each.matches('natter-chat')))
              seen.push(`${type} ${capture ? 'on its way down' : 'on its way up'}`);
          },
          { capture },
        );
};

test('listeners that a page adds after the chat receive no event of the chat', async ({
  page,
  chat,
  context,
  visit,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await visit({ body: '<h1>Listeners</h1>' });
  await page.evaluate(listenAsPages);
  await chat.open();
  await chat.expectQuiet();
  await chat.composer.click();
  await page.keyboard.type('one two');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('ControlOrMeta+x');
  await page.keyboard.press('ControlOrMeta+v');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('ControlOrMeta+c');
  await chat.composer.dblclick();
  await chat.composer.click({ button: 'right' });
  await chat.transcript.hover();
  await page.mouse.wheel(0, -200);
  await page.keyboard.press('Tab');
  await expect(chat.composer).toHaveValue('one two');
  // A listener for wheel events in the capture phase would delay scrolling of the whole page.
  expect(await page.evaluate(() => [...new Set(Reflect.get(window, 'seen'))])).toEqual([
    'wheel on its way down',
  ]);
});

test('a slider of the page is released over the chat', async ({ page, chat, visit }) => {
  await visit({
    body: `<div id="handle" style="width:40px;height:40px;background:grey"></div>
      <script>
        handle.onmousedown = () => {
          const move = (event) => { handle.style.marginLeft = event.clientX + 'px'; };
          addEventListener('mousemove', move);
          addEventListener('mouseup', () => { removeEventListener('mousemove', move); handle.title = 'released'; });
        };
      </script>`,
  });
  await chat.open();
  await chat.expectQuiet();
  const box = await chat.dialog.boundingBox();
  if (!box) throw new Error('The panel has no box.');
  await page.locator('#handle').hover();
  await page.mouse.down();
  await page.mouse.move(box.x + 100, box.y + 100, { steps: 5 });
  await page.mouse.up();
  await expect(page.locator('#handle')).toHaveAttribute('title', 'released');
});
