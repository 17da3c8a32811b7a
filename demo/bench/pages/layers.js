document.querySelector('#ask').addEventListener('click', () => document.querySelector('#dialog').showModal());
document.querySelector('#accept').addEventListener('click', () => document.querySelector('.bar').remove());
