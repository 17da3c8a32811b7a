// A router of a few lines: every address has a new body.
const PAGES = { boots: 'Boots', oilskins: 'Oilskins', bags: 'Bags' };

function show() {
  const name = new URLSearchParams(location.search).get('view') ?? 'boots';
  document.title = `${PAGES[name]} – Harbour Outfitters`;
  const body = document.createElement('body');
  const top = document.createElement('header');
  top.className = 'top';
  for (const [view, text] of Object.entries(PAGES)) {
    const link = document.createElement('a');
    link.href = `?view=${view}`;
    link.textContent = text;
    link.addEventListener('click', (event) => {
      event.preventDefault();
      history.pushState(null, '', link.href);
      show();
    });
    top.append(link);
  }
  const main = document.createElement('main');
  const title = document.createElement('h1');
  title.textContent = PAGES[name];
  const text = document.createElement('p');
  text.textContent = `The body was replaced at ${new Date().toLocaleTimeString()}.`;
  main.append(title, text);
  body.append(top, main);
  document.documentElement.replaceChild(body, document.body);
}

addEventListener('popstate', show);
// Once the snippet of the page has run, as where an application starts after everything else.
addEventListener('load', show);
