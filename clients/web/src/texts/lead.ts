// The texts of the panel `lead` in all languages. The text between two ` is large.

import { subject } from './particles';
import { type Language, number } from './texts';

const rules = new Intl.PluralRules('en');
const one = (count: number): boolean => rules.select(count) === 'one';
const few = (count: number): boolean => count < 2; // French: zéro boid, too

export interface LeadTexts {
  label: string;
  /** That many boids follow this person. */
  nearest(boids: number): string;
  team(team: number, boids: number): string;
  /** That many people of the team steer it. you: whether this person does. */
  steer(people: number, you: boolean): string;
  choose: string;
  teams: readonly string[];
  join(team: number): string;
  joined(team: number): string;
  bar(team: number, boids: number): string;
  /** This person leads for that many seconds. */
  own(seconds: number): string;
  /** name: as news.person() writes it. */
  other(name: string, seconds: number): string;
  next(name: string): string;
  ownNext: string;
  spoken: string;
  key(team: number): string;
}

const EN = ['Red', 'Blue', 'Yellow', 'Green'];
const DE = ['Rot', 'Blau', 'Gelb', 'Grün'];
const ES = ['Rojo', 'Azul', 'Amarillo', 'Verde'];
const FR = ['Rouge', 'Bleu', 'Jaune', 'Vert'];
const JA = ['赤', '青', '黄', '緑'];
const KO = ['빨강', '파랑', '노랑', '초록'];

const en: LeadTexts = {
  label: 'Who leads',
  nearest: (boids) => `\`${number(boids)}\` ${one(boids) ? 'boid follows' : 'boids follow'} you`,
  team: (team, boids) => `Team ${EN[team - 1]}: \`${number(boids)}\` ${one(boids) ? 'boid' : 'boids'}`,
  steer: (people, you) => {
    const others = people - 1;
    if (!you) return people === 0 ? 'move to steer it' : `${number(people)} ${one(people) ? 'steers' : 'steer'} it`;
    return others <= 0 ? 'you steer it' : `you and ${number(others)} ${one(others) ? 'other' : 'others'} steer it`;
  },
  choose: 'Choose your team',
  teams: EN,
  join: (team) => `Join team ${EN[team - 1]}`,
  joined: (team) => `You are in team ${EN[team - 1]}`,
  bar: (team, boids) => `${EN[team - 1]} ${number(boids)}`,
  own: (seconds) => `You lead! \`${number(seconds)} s\``,
  other: (name, seconds) => `${name} leads, \`${number(seconds)} s\``,
  next: (name) => `next: ${name}`,
  ownNext: 'next: you',
  spoken: 'You lead now',
  key: (team) => `joins team ${EN[team - 1]}`,
};

const ja: LeadTexts = {
  label: '先導している人',
  nearest: (boids) => `\`${number(boids)}\` 体のボイドがついてきています`,
  team: (team, boids) => `${JA[team - 1]}チーム：\`${number(boids)}\` 体`,
  steer: (people, you) => {
    if (!you) return people === 0 ? '動かしてみましょう' : `${number(people)} 人が動かしています`;
    return people > 1 ? `あなたとほか ${number(people - 1)} 人が動かしています` : 'あなたが動かしています';
  },
  choose: 'チームを選んでください',
  teams: JA,
  join: (team) => `${JA[team - 1]}チームに入る`,
  joined: (team) => `${JA[team - 1]}チームに入りました`,
  bar: (team, boids) => `${JA[team - 1]} ${number(boids)}`,
  own: (seconds) => `あなたが先導！ \`${number(seconds)} 秒\``,
  other: (name, seconds) => `${name}が先導、あと \`${number(seconds)} 秒\``,
  next: (name) => `次は${name}`,
  ownNext: '次はあなた',
  spoken: 'あなたが先導しています',
  key: (team) => `${JA[team - 1]}チームに入ります`,
};

const ko: LeadTexts = {
  label: '이끄는 사람',
  nearest: (boids) => `보이드 \`${number(boids)}\`마리가 따라옵니다`,
  team: (team, boids) => `${KO[team - 1]} 팀: 보이드 \`${number(boids)}\`마리`,
  steer: (people, you) => {
    if (!you) return people === 0 ? '움직여 이끌어 보세요' : `${number(people)}명이 이끕니다`;
    return people > 1 ? `나와 다른 ${number(people - 1)}명이 이끕니다` : '내가 이끕니다';
  },
  choose: '팀을 고르세요',
  teams: KO,
  join: (team) => `${KO[team - 1]} 팀에 들어가기`,
  joined: (team) => `${KO[team - 1]} 팀에 들어왔습니다`,
  bar: (team, boids) => `${KO[team - 1]} ${number(boids)}`,
  own: (seconds) => `내가 이끕니다! \`${number(seconds)}초\``,
  other: (name, seconds) => `${subject(name)} 이끕니다, \`${number(seconds)}초\` 남음`,
  next: (name) => `다음: ${name}`,
  ownNext: '다음은 나',
  spoken: '지금 내가 이끕니다',
  key: (team) => `${KO[team - 1]} 팀에 들어갑니다`,
};

const de: LeadTexts = {
  label: 'Wer führt',
  nearest: (boids) => `\`${number(boids)}\` ${one(boids) ? 'Boid folgt' : 'Boids folgen'} dir`,
  team: (team, boids) => `Team ${DE[team - 1]}: \`${number(boids)}\` ${one(boids) ? 'Boid' : 'Boids'}`,
  steer: (people, you) => {
    if (!you) return people === 0 ? 'beweg den Zeiger, um zu steuern' : `${number(people)} ${one(people) ? 'steuert' : 'steuern'}`;
    return people > 1 ? `du steuerst mit ${number(people - 1)} ${one(people - 1) ? 'anderen Person' : 'anderen'}` : 'du steuerst';
  },
  choose: 'Wähle dein Team',
  teams: DE,
  join: (team) => `Zu Team ${DE[team - 1]}`,
  joined: (team) => `Du bist in Team ${DE[team - 1]}`,
  bar: (team, boids) => `${DE[team - 1]} ${number(boids)}`,
  own: (seconds) => `Du führst! \`${number(seconds)} s\``,
  other: (name, seconds) => `${name} führt, noch \`${number(seconds)} s\``,
  next: (name) => `danach: ${name}`,
  ownNext: 'danach: du',
  spoken: 'Jetzt führst du',
  key: (team) => `wechselt zu Team ${DE[team - 1]}`,
};

const es: LeadTexts = {
  label: 'Quién lleva la bandada',
  nearest: (boids) => `\`${number(boids)}\` ${one(boids) ? 'boid te sigue' : 'boids te siguen'}`,
  team: (team, boids) => `Equipo ${ES[team - 1]}: \`${number(boids)}\` ${one(boids) ? 'boid' : 'boids'}`,
  steer: (people, you) => {
    if (!you) return people === 0 ? 'mueve el cursor para guiarlo' : `${number(people)} ${one(people) ? 'lo guía' : 'lo guían'}`;
    return people > 1 ? `lo guías con ${number(people - 1)} más` : 'tú lo guías';
  },
  choose: 'Elige tu equipo',
  teams: ES,
  join: (team) => `Entrar en el equipo ${ES[team - 1]}`,
  joined: (team) => `Estás en el equipo ${ES[team - 1]}`,
  bar: (team, boids) => `${ES[team - 1]} ${number(boids)}`,
  own: (seconds) => `¡Te toca! \`${number(seconds)} s\``,
  other: (name, seconds) => `Le toca a ${name}, quedan \`${number(seconds)} s\``,
  next: (name) => `después: ${name}`,
  ownNext: 'después: tú',
  spoken: 'Ahora llevas tú la bandada',
  key: (team) => `entra en el equipo ${ES[team - 1]}`,
};

const fr: LeadTexts = {
  label: 'Qui mène',
  nearest: (boids) => `\`${number(boids)}\` ${few(boids) ? 'boid vous suit' : 'boids vous suivent'}`,
  team: (team, boids) => `Équipe ${FR[team - 1]}\u00a0: \`${number(boids)}\` ${few(boids) ? 'boid' : 'boids'}`,
  steer: (people, you) => {
    if (!you) return people === 0 ? 'bougez le curseur pour la guider' : `${number(people)} ${one(people) ? 'la guide' : 'la guident'}`;
    return people > 1 ? `vous et ${number(people - 1)} ${one(people - 1) ? 'autre' : 'autres'} la guidez` : 'vous la guidez';
  },
  choose: 'Choisissez votre équipe',
  teams: FR,
  join: (team) => `Entrer dans l’équipe ${FR[team - 1]}`,
  joined: (team) => `Vous êtes dans l’équipe ${FR[team - 1]}`,
  bar: (team, boids) => `${FR[team - 1]} ${number(boids)}`,
  own: (seconds) => `À vous de mener\u202f! \`${number(seconds)} s\``,
  other: (name, seconds) => `${name} mène, encore \`${number(seconds)} s\``,
  next: (name) => `ensuite\u00a0: ${name}`,
  ownNext: 'ensuite\u00a0: vous',
  spoken: 'C’est à vous de mener',
  key: (team) => `entre dans l’équipe ${FR[team - 1]}`,
};

export const LEAD_TEXTS: Readonly<Record<Language, LeadTexts>> = { en, de, es, fr, ja, ko };
