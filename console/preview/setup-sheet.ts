/** The style sheet of the preview: a ready theme, and the properties that were chosen. */
export class SetupSheet {
  readonly sheet: CSSStyleSheet = new CSSStyleSheet();

  /** A value is set, not written into text, so it cannot break out of its property. */
  replace(theme: string, properties: Readonly<Record<string, string>>): void {
    this.sheet.replaceSync(theme);
    const rule = this.sheet.cssRules[this.sheet.insertRule('natter-chat {}', this.sheet.cssRules.length)];
    if (!(rule instanceof CSSStyleRule)) return;
    for (const [name, value] of Object.entries(properties)) rule.style.setProperty(name, value);
  }
}
