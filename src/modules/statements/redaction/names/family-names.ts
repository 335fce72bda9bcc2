/**
 * Family names that are common where statements come from, and the names that stand for anybody. Many are also words or firms, so
 * they count only beside a given name or an initial, and in names of files.
 */
export const FAMILY_NAMES = `
  abdullah adamczyk adams adeyemi aerts aeschlimann aguilar ahmed akhtar albrecht ali allen almeida alonso alvarez alves amato ammann
  andersen anderson andersson andre andreassen armstrong arnaud arnold arslan aslan auer axelsson aydın babić bailey baker bakken bakker
  balogh baran barbier barbieri barker barnes barone basile battaglia bauer baumann bech beck becker begum beispiel bell bellini
  benedetti bengtsson bennett berg berge berger berglund bergman bergmann bergström bernard bernardi bertrand bianchi bianco bieri björk
  blanc blanchard blanco bloggs boateng bogaert bondarenko bonnet bos boucher boyer brandt braun brouwer brown brun brunet brunner bruno
  brügger bui burke busch butler byrne böhm calvo camara campbell cano carbone cardoso carpentier carter caruso carvalho castillo castro
  cattaneo chapman chaudhry chavez chen chevalier choi chowdhury christensen christiansen claes clark clarke clement coelho colas
  collins colombo conte conti cook cooper coppola correia cortes costa costantini cox cruz cunha dahl daly damico dang danielsson david
  davies davis deangelis deboer debruijn debruin declercq degraaf degroot dehaan dekker delgado deluca demir denis derosa desantis
  deschamps desmedt desmet devries dewilde dewit diallo diaz dietrich dijkstra diop dixon doe doherty dominguez donati doyle doğan
  dubois duda dudek dufour dumas dumont duncan dupont durand duval dvořák dąbrowska dąbrowski eder edwards egger eide eklund ekström
  ellis engel engström eriksen eriksson esposito evans fabbri farina farkas faure ferguson fernandes fernandez ferrara ferrari ferraro
  ferreira ferretti ferri fiore fischer fisher fitzgerald flores flynn fontaine fontana forsberg fournier francois frandsen frank franke
  fraser fredriksson frei friedrich fuchs gaillard gallagher gallego galli gallo garcia garnier garrido gatti gauthier gautier gentile
  gerard gerber gibson giordano girard giuliani gomes gomez gonzalez gonçalves goossens grabowski graf graham grassi grasso gray greco
  green griffiths groß gruber guerin guerrero guillaume gundersen guo gupta gustafsson gutierrez guyot górski günther haas haddad hagen
  hahn hall halvorsen hamilton hansen hansson harris harrison hartmann hassan haugen heikkilä heikkinen heinonen heinrich henderson
  hendriks henriksen henriksson henry hermans hernandez herrera herrmann hill hoang hoekstra hofer hoffmann hofmann holm holmberg holmes
  holmgaard horn horvat horváth horák huang huber hughes huisman hunt hussain hämäläinen håkansson ibrahim iglesias ionescu iqbal islam
  ivanov ivanova iversen iyer jabłoński jackson jacobs jacobsen jakobsen jakobsson jankowska jankowski jansen janssen jansson jaworski
  jean jensen jesus jimenez johannessen johansen johansson johnsen johnson johnston jokinen joly jones jonsson jovanović jung jäger
  järvinen jönsson jørgensen kaczmarek kaiser kamińska kamiński kara karjalainen karlsen karlsson kaur kavanagh kaya keita keller kelly
  kennedy kerr khan kim king kinnunen kiss kjær klein knight knudsen knutsen kobayashi koch koelewijn kok korhonen koskinen koster
  kovalenko kovačić kovács kowalczyk kowalska kowalski kozlov kozłowska kozłowski koç kraus krause kravchenko krawczyk kristensen
  kristiansen kristoffersen krämer król krüger kuhn kuipers kumar kurt kuznetsov kučera kwiatkowski köhler könig kühn kılıç lacroix
  laine laitinen lambert lang lange larsen larsson laurent lauridsen lebedev lechner leclercq lecomte lee lefebvre lefèvre legrand
  lehmann lehtinen lehtonen leitner lemaire lemmens lemoine leon leone leroux leroy lewandowska lewandowski lewis lie lindberg lindgren
  lindqvist lindström liu lloyd lombardi lombardo longo lopes lopez lorenz lozano lucas ludwig lund lundberg lundgren lundin lundqvist
  lynch maas macdonald mackay mackenzie madsen maes magnusson mahmood maier majewski malik malinowski mancini mantovani marchand
  marchetti mariani marie marin marini marino marković marques marshall martin martinelli martinez martini martino martins martinsen
  mason masson mathieu mathisen matthews mattila mattsson mayer mayr mazur mazza mcbride mccarthy mcdonald mclean medina mehta meier
  meijer meister mendes mendez mendoza mensah mercier mertens messina meunier meyer miah michalak michalski michel michiels milani
  miller mills mitchell moen mohamed mohammed molina molnár monteiro monti moore morales moreau moreira morel morelli moreno moretti
  morgan morin morozov morris mortensen moser mulder muller murdoch murphy murray muster musterfrau mustermann muñoz mäkelä mäkinen
  möller møller müller nagy nakamura navarro ndiaye negri neri neumann neves nguyen nicolas nielsen niemi nieminen nikolić nilsen
  nilsson noel nolan novikov novotný novák nováková nowak nowakowski nowicki nunes nuñez nyström németh němec o'brien o'connor o'neill
  o'sullivan obrien oconnor okafor okeke olafsson olaussen oliveira olofsson olsen olsson olszewski oneill orlandi orlando ortega ortiz
  osei ostrowski osullivan otto pagano palmer palmieri palumbo papadopoulos parisi park parker patel paterson paulsen pawlak pawłowski
  pearson pedersen peeters pellegrini pellegrino pelletier pereira perez perrin persson peters petersen petit petrov petrović pettersen
  pettersson peña pfeiffer pham phan philippe phillips picard pichler pietrzak pinto piotrowski piras pires pohl poirier popa popescu
  popov poulsen powell prieto prins procházka quinn radu rahman ramalho ramirez ramos rantanen rao raposo rasmussen reddy reiter renaud
  reyes reynolds ribeiro ricci richard richards richardson richter rinaldi ritter riva rivera rizzi rizzo robert roberts robertson robin
  robinson rocha roche rodrigues rodriguez roger rogers rolland romano romero ross rossi roth rousseau roussel roux roy rubio ruggiero
  ruiz russo rutkowski ryan saarinen sala salminen salo salonen sanchez sandberg sanna santoro santos sanz sartori sato sauer savolainen
  schmid schmidt schmitt schmitz schneider scholz schouten schreiber schröder schubert schulte schulz schulze schumacher schuster
  schwarz schäfer scott segers seidel serra serrano shah sharma shaw shevchenko sikora silva silvestri simon simonsen simpson singh
  sjöberg smirnov smit smith smits soares sokolov solberg sommer sorrentino sousa stan stein steiner stevens stevenson stewart strand
  stępień suarez sun sundberg suter suzuki svendsen svensson svoboda szabó szewczyk szymańska szymański sørensen tanaka taylor teixeira
  testa thomas thompson thomsen tkachenko tomaszewski torres tran traore tuominen turner turunen tóth uddin valentini vanbeek vandam
  vandamme vandenberg vandenbroek vandenheuvel vanderlinden vandermeer vanderveen vandijk vandongen vanleeuwen vanvliet varga vasquez
  vasseur vazquez verbeke verhoeven vermeulen veselý vidal vieira vincent virtanen visser vitale vitali vogel vogt voigt volkov vos vu
  wagner walczak walker wallin wallner walsh walter wang ward watanabe watson wauters webb weber weiß werner whelan white widmer
  wieczorek wikström willekens willems williams wilson wimmer winkler winter witkowski wiśniewska wiśniewski wojciechowski wolf wolff
  wood wouters woźniak wright wróbel wróblewski wu wyss wójcik xu yamamoto yang yilmaz young yıldırım yıldız yılmaz zając zalewski
  zbinden zhang zhao zhou zhu ziegler zielińska zieliński ziemer zimmermann çelik çetin özdemir özkan öztürk černý đorđević şahin
`;
