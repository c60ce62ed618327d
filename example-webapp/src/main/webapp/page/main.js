import {Answers} from './answers.js';
import {Experiment} from './experiment.js';
import {Lanes} from './lanes.js';
import {LastResponse} from './response.js';
import {Marks} from './marks.js';
import {Operators} from './operators.js';
import {Plan} from './plan.js';
import {Traffic} from './traffic.js';

const byId = id => document.getElementById(id);

const SOURCES = {
    SHARED: 'Recorded in Redis: the marks of all instances',
    CUT_OFF: 'Redis does not take marks: those of this instance, from its memory',
    ALONE: 'Limits are in memory: the marks of this instance',
    SILENT: 'The server does not answer',
};

const say = id => text => {
    byId(id).textContent = text;
};
const news = say('news');
const user = () => byId('user').value;

const marks = new Marks(changed, () => traffic.isBusy || experiment.isBusy);
const lanes = new Lanes(byId('lanes'), marks);
const last = new LastResponse();
const experiment = new Experiment(marks);
const traffic = new Traffic(answered, news);
const plan = new Plan(user, shown, say('quota-news'));
const answers = new Answers(user, shown, say('quota-news'));
const operators = new Operators(user, () => lanes.declare());
marks.soon();

function changed({source, lost}) {
    lanes.show();
    experiment.show();
    if (source) {
        byId('source').dataset.source = source;
        byId('source').textContent = SOURCES[source] + (lost ? `; ${lost} of this instance were lost` : '');
    }
}

function answered(strategy, answer, sent) {
    lanes.read(strategy, answer.readings, sent);
    shown(answer);
}

function shown(answer) {
    last.show(answer);
    marks.soon();
}

function send(size) {
    const chosen = lanes.chosen;
    if (chosen.length === 0) {
        news('Choose a strategy first.');
        return;
    }
    traffic.burst(chosen, user(), size);
}

byId('one').addEventListener('click', () => send(1));

byId('burst-form').addEventListener('submit', event => {
    event.preventDefault();
    send(byId('burst-size').valueAsNumber);
});

byId('steady-form').addEventListener('submit', event => {
    event.preventDefault();
    steady();
});

function steady() {
    if (traffic.isSteady) {
        traffic.stop();
    } else {
        traffic.start(() => lanes.chosen, user, byId('rate').valueAsNumber);
    }
    byId('steady').textContent = traffic.isSteady ? 'Stop' : 'Start';
    byId('rate').readOnly = traffic.isSteady;
}

byId('all').addEventListener('click', () => lanes.choose(true));
byId('none').addEventListener('click', () => lanes.choose(false));
byId('clear').addEventListener('click', () => marks.clear());
byId('mine').addEventListener('change', filter);
byId('user').addEventListener('change', () => {
    filter();
    plan.forget();
    answers.forget();
    operators.read();
});

function filter() {
    const only = byId('mine').checked ? user() : null;
    lanes.filter(mark => only === null || mark.user === only);
}

for (const place of document.querySelectorAll('.here')) {
    place.textContent = document.baseURI.replace(/[^/]*$/, '');
}

/** Something is to be seen when the page opens: a burst, and a minute of traffic; once in each tab. */
function open() {
    if (!document.hidden && !sessionStorage.getItem('opened')) {
        sessionStorage.setItem('opened', 'yes');
        steady();
        send(byId('burst-size').valueAsNumber);
        setTimeout(() => traffic.isSteady && steady(), 60_000);
    }
}
document.addEventListener('visibilitychange', open);
open();
