// The page as it is after the library: names that come up in every object and array.
const names = [];
for (const name in []) names.push(name);
window.$('found').textContent = `An empty array now lists: ${names.join(', ')}.`;
