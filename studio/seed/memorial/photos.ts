import type { MotifName, Paint } from './motifs.ts'

interface Words {
  readonly es: string
  readonly en: string
  readonly fr: string
}

/** One picture of the memorial. Its place in the list is its place in the memorial and in the book. */
export interface Photo {
  readonly motif: MotifName
  readonly paint: Paint
  readonly caption: Words
  /** What is to be seen, for whoever cannot see it. */
  readonly alt: Words
}

const words = (es: string, en: string, fr: string): Words => ({ es, en, fr })

/** Four hours of the day, for each motif to be painted in. */
const DAWN: Paint = { sky: ['#a8bccb', '#dcc9c0', '#f3d9bf'], light: '#fff3dc', near: '#3c4a52' }
const DAY: Paint = { sky: ['#7fa5b8', '#bcd3d6', '#e9ece0'], light: '#fffdf2', near: '#2f4b4a' }
const DUSK: Paint = { sky: ['#4b4a6b', '#a8677a', '#e9a37c'], light: '#ffe0b0', near: '#2a2238' }
const NIGHT: Paint = { sky: ['#141c33', '#2b3a5c', '#5d6f8e'], light: '#f4ead0', near: '#0c1220' }
const LINEN: Paint = { sky: ['#f3ede0', '#e9e0cf'], light: '#c9cdb4', near: '#55603f' }
const LIME: Paint = { sky: ['#eef0ea', '#dde3dc'], light: '#bccabb', near: '#40574a' }
const CLAY: Paint = { sky: ['#f0ddcf', '#e3c6b1'], light: '#d7cdb2', near: '#6a5a3a' }
const SLATE: Paint = { sky: ['#c9d2d6', '#aebcc2'], light: '#dfe6df', near: '#32474d' }
const PLASTER: Paint = { sky: ['#d9cbb8', '#c9b79f'], light: '#fbf1d9', near: '#6f5d49' }
const CHALK: Paint = { sky: ['#cfd6d8', '#b9c3c7'], light: '#fdfbf0', near: '#54636b' }
const ROSE: Paint = { sky: ['#d8b9ad', '#c69f93'], light: '#ffe9cf', near: '#714a48' }
const BLUE: Paint = { sky: ['#7889a1', '#5f718c'], light: '#f0ead6', near: '#2b3850' }
const WHEAT: Paint = { sky: ['#9db8bf', '#ead9b0', '#f2cf8f'], light: '#fff1c4', near: '#6b4e22' }
const SAND: Paint = { sky: ['#b9c6c4', '#ead7b7', '#e7bf92'], light: '#fff0d2', near: '#8a5a3c' }

export const PHOTOS: readonly Photo[] = [
  {
    motif: 'hills',
    paint: DAWN,
    caption: words('Primera luz', 'First light', 'Première lueur'),
    alt: words(
      'Colinas en capas de niebla bajo un cielo rosado; el sol acaba de salir.',
      'Hills in layers of mist beneath a rosy sky; the sun has just risen.',
      'Des collines dans la brume sous un ciel rosé ; le soleil vient de se lever.',
    ),
  },
  {
    motif: 'sea',
    paint: DUSK,
    caption: words('El mar al final del día', 'The sea at day’s end', 'La mer au bout du jour'),
    alt: words(
      'Un camino de luz sobre el mar en calma, al atardecer.',
      'A path of light on a calm sea at sunset.',
      'Un chemin de lumière sur la mer calme, au couchant.',
    ),
  },
  {
    motif: 'olive',
    paint: LINEN,
    caption: words('Rama de olivo', 'Olive branch', 'Rameau d’olivier'),
    alt: words(
      'Una rama de olivo con hojas verdes y plateadas sobre un fondo claro.',
      'An olive branch with green and silver leaves on a pale ground.',
      'Un rameau d’olivier aux feuilles vertes et argentées sur un fond clair.',
    ),
  },
  {
    motif: 'lanterns',
    paint: NIGHT,
    caption: words('Luces sobre el agua', 'Lights on the water', 'Des lumières sur l’eau'),
    alt: words(
      'Farolillos que flotan de noche en un lago y se reflejan en él.',
      'Lanterns floating on a lake at night, mirrored in the water.',
      'Des lanternes flottent sur un lac la nuit et s’y reflètent.',
    ),
  },
  {
    motif: 'tree',
    paint: DAY,
    caption: words('El árbol que se queda', 'The tree that stays', 'L’arbre qui demeure'),
    alt: words(
      'Un árbol solo y frondoso en lo alto de una loma.',
      'A single leafy tree on top of a low hill.',
      'Un arbre seul et feuillu au sommet d’une butte.',
    ),
  },
  {
    motif: 'lightOnWall',
    paint: PLASTER,
    caption: words('Una ventana en la pared', 'A window on the wall', 'Une fenêtre sur le mur'),
    alt: words(
      'La luz de una ventana dibuja cuatro cuadros cálidos en una pared, con la sombra de unas hojas.',
      'Light from a window lays four warm squares on a wall, with the shadow of leaves.',
      'La lumière d’une fenêtre dessine quatre carrés chauds sur un mur, avec l’ombre de feuilles.',
    ),
  },
  {
    motif: 'birds',
    paint: DUSK,
    caption: words('Vuelven', 'They return', 'Ils reviennent'),
    alt: words(
      'Una bandada cruza el cielo del atardecer sobre unas colinas oscuras.',
      'A flock crosses the evening sky above dark hills.',
      'Une volée traverse le ciel du soir au-dessus de collines sombres.',
    ),
  },
  {
    motif: 'field',
    paint: WHEAT,
    caption: words('Antes de la siega', 'Before the harvest', 'Avant la moisson'),
    alt: words(
      'Espigas de trigo a contraluz, con el sol bajo detrás.',
      'Ears of wheat against the light, the low sun behind them.',
      'Des épis de blé à contre-jour, le soleil bas derrière eux.',
    ),
  },
  {
    motif: 'lake',
    paint: DAWN,
    caption: words('Agua quieta', 'Still water', 'Eau tranquille'),
    alt: words(
      'Montañas pálidas que se miran en un lago sin viento.',
      'Pale mountains mirrored in a windless lake.',
      'Des montagnes pâles se mirent dans un lac sans vent.',
    ),
  },
  {
    motif: 'dunes',
    paint: SAND,
    caption: words('Arena y viento', 'Sand and wind', 'Le sable et le vent'),
    alt: words(
      'Dunas con una cara en luz y otra en sombra, bajo un sol velado.',
      'Dunes, one side in light and one in shade, beneath a veiled sun.',
      'Des dunes, un versant au soleil et l’autre à l’ombre, sous un soleil voilé.',
    ),
  },
  {
    motif: 'hills',
    paint: NIGHT,
    caption: words('Luna sobre los montes', 'Moon over the hills', 'La lune sur les monts'),
    alt: words(
      'La luna llena sobre siete filas de montes azules.',
      'A full moon over seven rows of blue hills.',
      'La pleine lune sur sept rangées de monts bleus.',
    ),
  },
  {
    motif: 'olive',
    paint: LIME,
    caption: words('Sombra de verano', 'Summer shade', 'Ombre d’été'),
    alt: words(
      'Rama de olivo en verdes fríos, con otra desenfocada detrás.',
      'An olive branch in cool greens, another blurred behind it.',
      'Un rameau d’olivier aux verts froids, un autre flou derrière.',
    ),
  },
  {
    motif: 'sea',
    paint: DAWN,
    caption: words('La mañana en el puerto', 'Morning at the harbour', 'Le matin au port'),
    alt: words(
      'El sol pálido de la mañana sobre un mar gris y claro.',
      'The pale morning sun on a light grey sea.',
      'Le pâle soleil du matin sur une mer gris clair.',
    ),
  },
  {
    motif: 'tree',
    paint: DUSK,
    caption: words('A la misma hora', 'At the same hour', 'À la même heure'),
    alt: words(
      'La silueta de un árbol contra un cielo malva y naranja.',
      'The outline of a tree against a mauve and orange sky.',
      'La silhouette d’un arbre sur un ciel mauve et orangé.',
    ),
  },
  {
    motif: 'lightOnWall',
    paint: ROSE,
    caption: words('La siesta', 'The afternoon rest', 'L’heure de la sieste'),
    alt: words(
      'Cuatro cuadros de sol en una pared rosada.',
      'Four squares of sunlight on a rose-coloured wall.',
      'Quatre carrés de soleil sur un mur rose.',
    ),
  },
  {
    motif: 'lanterns',
    paint: DUSK,
    caption: words('Una luz por cada nombre', 'One light for each name', 'Une lumière pour chaque nom'),
    alt: words(
      'Luces que flotan en el agua cuando el cielo aún es rojizo.',
      'Lights afloat on the water while the sky is still red.',
      'Des lumières flottent sur l’eau quand le ciel rougeoie encore.',
    ),
  },
  {
    motif: 'field',
    paint: DAWN,
    caption: words('Rocío', 'Dew', 'Rosée'),
    alt: words(
      'Hierbas altas en la niebla de la mañana.',
      'Tall grasses in the morning mist.',
      'De hautes herbes dans la brume du matin.',
    ),
  },
  {
    motif: 'birds',
    paint: DAY,
    caption: words('Camino del sur', 'On the way south', 'En route vers le sud'),
    alt: words(
      'Aves en vuelo por un cielo azul muy claro.',
      'Birds in flight across a very light blue sky.',
      'Des oiseaux en vol dans un ciel bleu très clair.',
    ),
  },
  {
    motif: 'dunes',
    paint: DUSK,
    caption: words('El desierto se enfría', 'The desert cools', 'Le désert fraîchit'),
    alt: words(
      'Dunas moradas bajo los últimos tonos cálidos del día.',
      'Purple dunes beneath the last warm tones of the day.',
      'Des dunes violettes sous les derniers tons chauds du jour.',
    ),
  },
  {
    motif: 'lake',
    paint: NIGHT,
    caption: words('El lago de noche', 'The lake at night', 'Le lac, la nuit'),
    alt: words(
      'La luna y las montañas reflejadas en un lago oscuro.',
      'The moon and the mountains mirrored in a dark lake.',
      'La lune et les montagnes se reflètent dans un lac sombre.',
    ),
  },
  {
    motif: 'olive',
    paint: CLAY,
    caption: words('Tierra y olivo', 'Earth and olive', 'Terre et olivier'),
    alt: words(
      'Rama de olivo sobre un fondo de color arcilla.',
      'An olive branch on a clay-coloured ground.',
      'Un rameau d’olivier sur un fond couleur d’argile.',
    ),
  },
  {
    motif: 'hills',
    paint: DUSK,
    caption: words('La última sierra', 'The last range', 'La dernière crête'),
    alt: words(
      'Sierras violetas, una tras otra, con el sol a punto de ponerse.',
      'Violet ranges, one behind another, the sun about to set.',
      'Des crêtes violettes, l’une derrière l’autre, le soleil près de se coucher.',
    ),
  },
  {
    motif: 'lightOnWall',
    paint: CHALK,
    caption: words('Cal y sol', 'Lime and sun', 'Chaux et soleil'),
    alt: words(
      'Luz blanca de ventana en una pared encalada.',
      'White window light on a limewashed wall.',
      'La lumière blanche d’une fenêtre sur un mur chaulé.',
    ),
  },
  {
    motif: 'tree',
    paint: WHEAT,
    caption: words('Sombra para todos', 'Shade for all', 'De l’ombre pour tous'),
    alt: words(
      'Un árbol ancho en un campo dorado.',
      'A broad tree in a golden field.',
      'Un arbre large dans un champ doré.',
    ),
  },
  {
    motif: 'sea',
    paint: NIGHT,
    caption: words('La luna en el agua', 'The moon in the water', 'La lune dans l’eau'),
    alt: words(
      'La luna deja una franja de brillos en el mar nocturno.',
      'The moon leaves a band of glitter on the sea at night.',
      'La lune laisse une traînée d’éclats sur la mer nocturne.',
    ),
  },
  {
    motif: 'birds',
    paint: DAWN,
    caption: words('Temprano', 'Early', 'De bon matin'),
    alt: words(
      'Unos pájaros sobre lomas pálidas, al amanecer.',
      'Birds above pale slopes at daybreak.',
      'Des oiseaux au-dessus de pentes pâles, au point du jour.',
    ),
  },
  {
    motif: 'field',
    paint: DUSK,
    caption: words('Hierba al viento', 'Grass in the wind', 'L’herbe dans le vent'),
    alt: words(
      'Tallos inclinados por el viento contra un cielo rojizo.',
      'Stems bent by the wind against a reddish sky.',
      'Des tiges courbées par le vent sur un ciel rougeâtre.',
    ),
  },
  {
    motif: 'lake',
    paint: DAY,
    caption: words('Mediodía en el valle', 'Noon in the valley', 'Midi dans la vallée'),
    alt: words(
      'Montañas verdes y su reflejo en un lago claro.',
      'Green mountains and their reflection in a clear lake.',
      'Des montagnes vertes et leur reflet dans un lac clair.',
    ),
  },
  {
    motif: 'lanterns',
    paint: { sky: ['#22344a', '#3f6173', '#8fb0ad'], light: '#ffe7bd', near: '#101d29' },
    caption: words('La orilla espera', 'The shore waits', 'La rive attend'),
    alt: words(
      'Luces cálidas sobre un agua verde azulada, a la última hora.',
      'Warm lights on blue-green water at the last hour.',
      'Des lumières chaudes sur une eau bleu-vert, à la dernière heure.',
    ),
  },
  {
    motif: 'dunes',
    paint: NIGHT,
    caption: words('Noche de arena', 'Night of sand', 'Nuit de sable'),
    alt: words(
      'Dunas azules bajo una luna pequeña.',
      'Blue dunes beneath a small moon.',
      'Des dunes bleues sous une petite lune.',
    ),
  },
  {
    motif: 'olive',
    paint: SLATE,
    caption: words('Después de la lluvia', 'After the rain', 'Après la pluie'),
    alt: words(
      'Hojas de olivo sobre un gris de lluvia.',
      'Olive leaves on the grey of rain.',
      'Des feuilles d’olivier sur un gris de pluie.',
    ),
  },
  {
    motif: 'hills',
    paint: DAY,
    caption: words('El camino de casa', 'The way home', 'Le chemin de la maison'),
    alt: words(
      'Colinas verdes que se pierden en una claridad azul.',
      'Green hills fading into a blue brightness.',
      'Des collines vertes se perdent dans une clarté bleue.',
    ),
  },
  {
    motif: 'sea',
    paint: DAY,
    caption: words('Horizonte', 'Horizon', 'Horizon'),
    alt: words(
      'Mar verde azulado con destellos, bajo un cielo limpio.',
      'A blue-green sea with sparkles beneath a clean sky.',
      'Une mer bleu-vert aux éclats vifs sous un ciel pur.',
    ),
  },
  {
    motif: 'lightOnWall',
    paint: BLUE,
    caption: words('Luna en el cuarto', 'Moon in the room', 'La lune dans la chambre'),
    alt: words(
      'La luz de la luna entra por una ventana y queda en la pared azul.',
      'Moonlight comes through a window and rests on the blue wall.',
      'Le clair de lune entre par une fenêtre et se pose sur le mur bleu.',
    ),
  },
  {
    motif: 'tree',
    paint: NIGHT,
    caption: words('De guardia', 'Keeping watch', 'Il veille'),
    alt: words(
      'Un árbol oscuro y, lejos, la luna.',
      'A dark tree and, far off, the moon.',
      'Un arbre sombre et, au loin, la lune.',
    ),
  },
  {
    motif: 'lake',
    paint: DUSK,
    caption: words('Dos cielos', 'Two skies', 'Deux ciels'),
    alt: words(
      'El atardecer arriba y el mismo atardecer en el agua.',
      'The sunset above, and the same sunset in the water.',
      'Le couchant là-haut, et le même dans l’eau.',
    ),
  },
  {
    motif: 'birds',
    paint: SAND,
    caption: words('Sobre el delta', 'Over the delta', 'Au-dessus du delta'),
    alt: words(
      'Aves sobre una tierra llana de color arena.',
      'Birds above flat, sand-coloured land.',
      'Des oiseaux au-dessus d’une terre plate couleur de sable.',
    ),
  },
  {
    motif: 'field',
    paint: DAY,
    caption: words('Lo que vuelve a crecer', 'What grows again', 'Ce qui repousse'),
    alt: words(
      'Hierba verde y alta, con un sol blanco al fondo.',
      'Tall green grass, a white sun in the distance.',
      'De l’herbe haute et verte, un soleil blanc au fond.',
    ),
  },
  {
    motif: 'lanterns',
    paint: { sky: ['#2b2440', '#5a4a73', '#c08f8a'], light: '#ffe9c9', near: '#17142a' },
    caption: words('Aquí estamos', 'We are here', 'Nous sommes là'),
    alt: words(
      'Muchas luces pequeñas juntas en el agua, entre malvas.',
      'Many small lights together on the water, among mauves.',
      'Beaucoup de petites lumières ensemble sur l’eau, dans les mauves.',
    ),
  },
  {
    motif: 'dunes',
    paint: DAWN,
    caption: words('Y mañana', 'And tomorrow', 'Et demain'),
    alt: words(
      'Dunas suaves y claras con el primer sol.',
      'Soft, light dunes in the first sun.',
      'Des dunes douces et claires au premier soleil.',
    ),
  },
]
