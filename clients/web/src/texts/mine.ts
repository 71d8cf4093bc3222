// Texts of the list of rooms whose key this browser keeps, in all languages.

import type { Language } from './texts';

const en = {
  title: 'My rooms',
  about:
    'You are a presenter of these rooms: this browser keeps their keys, a private window only until you close it. On a computer that others use, too, forget them.',
  forget: 'Forget',
  forgetRoom: (room: string) => `Forget ${room}`,
  forgetAll: 'Forget all',
  forgotten: (room: string) => `${room} is forgotten. Its presenter’s link still works.`,
  ended: 'has ended',
  nothing:
    'This browser does not let flock keep anything. Copy the presenter’s link of a room that you create: without it you cannot come back as a presenter.',
};

export const mineTexts: Readonly<Record<Language, typeof en>> = {
  en,
  ja: {
    title: 'マイルーム',
    about:
      'これらのルームでは、あなたは発表者です。このブラウザーがキーを保存しています（プライベートウィンドウでは閉じるまで）。共用のコンピューターでは一覧から削除してください。',
    forget: '削除',
    forgetRoom: (room: string) => `${room} を一覧から削除`,
    forgetAll: 'すべて削除',
    forgotten: (room: string) => `${room} を一覧から削除しました。発表者用リンクは引き続き使えます。`,
    ended: '終了しました',
    nothing:
      'このブラウザーでは何も保存できません。作ったルームの発表者用リンクをコピーしてください。リンクがないと、発表者として戻れません。',
  },
  ko: {
    title: '내 방',
    about: '이 방들에서 당신은 진행자입니다. 이 브라우저가 키를 보관합니다(시크릿 창은 닫을 때까지만). 함께 쓰는 컴퓨터라면 지우세요.',
    forget: '지우기',
    forgetRoom: (room: string) => `${room} 지우기`,
    forgetAll: '모두 지우기',
    forgotten: (room: string) => `목록에서 지웠습니다: ${room}. 진행자 링크는 계속 쓸 수 있습니다.`,
    ended: '끝났습니다',
    nothing:
      '이 브라우저에는 아무것도 보관할 수 없습니다. 만든 방의 진행자 링크를 복사해 두세요. 링크가 없으면 진행자로 돌아올 수 없습니다.',
  },
  de: {
    title: 'Meine Räume',
    about:
      'Diese Räume leitest du: Dieser Browser bewahrt ihre Schlüssel auf, ein privates Fenster nur, bis du es schließt. An einem Computer, den auch andere benutzen, entferne sie aus dieser Liste.',
    forget: 'Entfernen',
    forgetRoom: (room: string) => `${room} aus der Liste entfernen`,
    forgetAll: 'Alle entfernen',
    forgotten: (room: string) => `${room} ist nicht mehr in der Liste. Der Leitungslink funktioniert weiter.`,
    ended: 'ist beendet',
    nothing:
      'Dieser Browser speichert nichts für flock. Kopiere den Leitungslink eines Raums, den du erstellst: Ohne ihn kannst du nicht als Leitung zurückkommen.',
  },
  es: {
    title: 'Mis salas',
    about:
      'Eres responsable de estas salas: este navegador guarda sus claves, una ventana privada solo hasta que la cierres. En un ordenador compartido, olvídalas.',
    forget: 'Olvidar',
    forgetRoom: (room: string) => `Olvidar ${room}`,
    forgetAll: 'Olvidar todas',
    forgotten: (room: string) => `${room} queda olvidada. Su enlace de responsable sigue funcionando.`,
    ended: 'ha terminado',
    nothing:
      'Este navegador no deja que flock guarde nada. Copia el enlace de responsable de la sala que crees: sin él no podrás volver como responsable.',
  },
  fr: {
    title: 'Mes salles',
    about:
      'Vous êtes hôte de ces salles\u00a0: ce navigateur garde leurs clés, une fenêtre privée seulement jusqu’à sa fermeture. Sur un ordinateur partagé, oubliez-les.',
    forget: 'Oublier',
    forgetRoom: (room: string) => `Oublier ${room}`,
    forgetAll: 'Tout oublier',
    forgotten: (room: string) => `${room} est oubliée. Son lien d’hôte fonctionne toujours.`,
    ended: 'est fermée',
    nothing:
      'Ce navigateur ne laisse rien garder à flock. Copiez le lien d’hôte de la salle que vous créez\u00a0: sans lui, vous ne pourrez pas revenir comme hôte.',
  },
};
