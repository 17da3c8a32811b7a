const nextFrame = (): Promise<number> => new Promise(requestAnimationFrame);

/**
 * Resolves when what a state shows is on the page: its late parts (`sign` is a selector for the last of them),
 * pictures and typefaces. For a state that never gets there the promise stays pending, which the tests report.
 */
export async function settle(root: ShadowRoot, sign?: string): Promise<void> {
  do await nextFrame();
  while (sign && !root.querySelector(sign));
  const images = [...root.querySelectorAll('img')];
  if (images.length > 0) {
    // A picture that cannot be loaded has another look, which is drawn by the next frame.
    await Promise.allSettled(images.map((image) => image.decode()));
    await nextFrame();
  }
  await document.fonts.ready;
  await nextFrame();
  // Resize observers receive this frame's layout after its callbacks.
  await nextFrame();
}
