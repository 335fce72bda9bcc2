/**
 * Given names that are common where statements come from: Europe, North America, and the countries that many of their inhabitants
 * come from. Words, places and firms that are frequent in payments are left out, such as `Florence` or `Spencer`.
 */
export const GIVEN_NAMES = `
  aarav aaron abena abigail adam adele adelheid aditya adrian agata agathe agnes agnieszka ahmad ahmed aidan aino aisha aitor aksel
  alain alan alasdair alastair albert albrecht alejandro aleksandar aleksander aleksandra aleksei alena alessandra alessandro alessia
  alessio alex alexander alexandra alexandre alexandros alexey alexis alfonso alfred alfredo ali alice alicja alina alison alistair alma
  almudena aloys alvaro alvin amadou amanda amandine amelia amelie amina aminata amir amit amparo amy amélie ana ananya anastasia
  anastasios anaïs anders andrea andreas andreea andrei andrejs andrew andrius andrzej andré andrés angel angela angelika angelina
  angelo angus anika aniko anil anita anja anke ann anna anne annegret anneke anneli annelie annelies annemarie annette annick annie
  annika anouk anselm ansgar anthony antje antoine anton antonella antonia antonio antonis antti aoife apostolos ariane arianna arjan
  arjun armando armin arnaldo arnaud arnd arne arnold artem arthur artur arturo arvid asger ashok aslı asta astrid athanasios attila
  audrey augustin aurelien aurore aurélie axel aylin ayse ayşe baptiste barbara bart bartosz bartłomiej bas bastian bastien beata beate
  beatrice begoña ben benedetta benedikt benito benjamin benjamín benny benoit benoît bente bernadette bernardo bernat bernd bernhard
  berta berthold bertrand beth bettina bianca bilal birgit birgitta birgitte birte björk björn blanca blandine bob bodil bogdan boglárka
  bogumił boris borja bozena bożena brandon brenda brendan brian brianna brigida brigitta brigitte britta brittany bronwyn bruna bruno
  burak burkhard bénédicte börje błażej caitlin caleb cameron camille candice caren carina carl carla carlo carlos carlotta carmen carol
  carole carolin caroline carolyn carsten catalina catarina caterina catherine cathrin cathy catia cecile cecilia cecilie cedric celia
  celine cem cemal chad chantal charles charlie charlotte cheryl chiara chidi chinedu chloe chloé christa christel christelle christer
  christiaan christian christiane christina christine christof christoffer christoph christopher christos cian ciara ciarán claire clara
  clarissa claude claudia claudio claus clemens clement clementine clotilde clément cody colin conny conrad constance constantin
  corentin corinna corinne cornelia cory cosimo costas courtney craig cristian cristiano cristina cristobal cynthia cyril cyrille
  czesław cécile cédric céline daan dagmar damian damiano damien dana daniel daniela daniele danielle danilo danny danuta daphne daria
  dario dariusz darlene darren david davide dawid debbie deborah debra deepak delphine demet denis denise deniz dennis derek detlef
  diana diane diego dieter dietmar dietrich dimitri dimitrios dimitris dinesh dino dirk dmitri dmitry dolores domenico dominik dominika
  dominique donald doris dorota dorothea dorothee dorte dorthe douglas duncan dustin duygu dylan désirée ebba eberhard ebru eckhard
  eckhart edda eddie edeltraud edgar edita edith edmund edoardo eduard eduardo edward edwin egon eileen eilidh einar eino eirik
  ekaterina elaine eleanor elena eleni eleonora elfriede elias elijah elin elina elisa elisabeth elise eliza elizabeth elke ella ellen
  elliot elmar eloise elsa elsbeth elvira emanuel emanuele emelie emil emilia emilie emilio emily emine emma emmanuel emre encarnación
  engelbert enno enrico enrique ercan erhard eric erich erik erika erin ernesto ernie ernst erwin esben esmeralda esra esteban estelle
  ester esther ethan eugen eugenia eugenio eva eva-maria evan evelyn evelyne evgeny ewa ewald eyal fabian fabienne fabio fabrice
  fabrizio fadi faisal fanny farid fatima fatimah fatma fatoumata federica federico feliks felipe felix ferdinand ferenc fergus fernanda
  fernando filip filippo finn finnur fiona fionn flavia flavio florent florentine florian florin francesca francesco francine francis
  francisca francisco franciszek franco frank frans franz franziska françois françoise fred frederik fredrik freya frida frieder
  friederike friedrich frits fritz frode félix gabi gabor gabriela gabriele gabriella ganesh gareth gary gaspard gaston gauthier gaël
  gaëlle geert geeta gema geoff geoffrey geoffroy georg george georges georgina georgios gerald geraldine gerard gerd gerda gerhard
  gerlinde germán gerrit gert gesa ghislaine giacomo giancarlo gianluca gianni gilbert gilles gillian gina giorgia giorgio giorgos
  giovanni gisela giulia giuliana giuliano giuseppe gizem glenda glenn gloria gonzalo goran gordon gottfried graham grażyna greetje
  gregor gregory greta grete grzegorz grégoire grégory guadalupe gudrun guido guillaume guillermo gunilla gunnar guntram gustav gustavo
  gwenaëlle gwendolyn gábor gérard göran gözde gülay gülsen günter haakon hakan hakon halina hamid hamza hania hanna hannah hanne
  hannelore hannes hannu hans hans-peter harald harm harpreet harriet harry hartmut haruto hasan hassan hatice heather hector hedwig
  heide heidi heidrun heike heikki hein heiner heino heinrich heinz helen helena helene helga helge helle helmut hendrik hendrikje
  henning henny henri henriette henrik henry henryk herbert heribert herman hermann hermine hervé hilda hildegard hilke hiroshi hjalmar
  holger horst howard hubert hugh hugo hugues huib humberto håkan håvard héloïse hélène hüseyin ian ibrahim ibrahima idoia idun ignacio
  igor ilaria ilka ilona ilse imke imran ineke ines inga inge ingeborg inger ingmar ingo ingrid ingvar inmaculada ioana ioannis irena
  irene irina iris irma irmgard isaac isabel isabell isabella isabelle isaiah ismael ismail ismet isolde istván ivan ivana ivar ivo
  ivonne iwona izabela jaakko jaap jacek jacinto jack jacky jacob jacopo jacqueline jacques jadwiga jaime jake jakob jakub jamal james
  jamie jana jane janet janina janine janis janne janusz jared jari jarl jarmo jarosław jasmin jasmina jasmine jason jasper jaswinder
  javier jean jeanette jeanine jeanne jeannette jeff jeffrey jelena jenni jennifer jenny jens jeremiah jeremy jermaine jeroen jerome
  jerzy jesper jesse jessica jesús jiahao jill jim jimena jimmy jisoo joachim joan joana joann joanna joaquín jocelyne jochen jodi jodie
  joe joel joelle johan johann johanna johannes john johnny jolanda jolanta jon jonas jonathan jonna joop joost jordi jorg jorge joris
  jorma jorunn josef josefa josefina josefine josep joseph josephine josette joshua josiah josie josé joséphine jouni joyce jozef joël
  joëlle juan juan-carlos judith juha juhani julia julian julianne julie julien juliet juliette julio julita jurgita jussi justin
  justine justyna jyoti jérémie jérôme józef jörg jörn jürgen kai kaisa kaj kalle kamil kamila kareem karel karen karim karin karl
  karl-heinz karla karolina karsten kasia kasper katalin katarzyna kate katelyn katerina kateřina katharina katharine katherine kathleen
  kathrin kathryn kathy kati katie katja katrin katrine kavita kayla kazimierz keir keith kelli kelly kemal kenan kendra kenji kenneth
  kerry kerstin ketil kevin khadija khadijah khalid kieran kim kimberly kira kirill kirsi kirsten kirsty kjell klara klaudia klaus kofi
  konrad konstantin konstantinos kornelia krishna kristen kristi kristian kristiina kristin kristina kristine kristof kristoffer kristy
  krystian krystyna krzysztof kumar kunigunde kurt kwame kyle lachlan ladislav laila lajos lakshmi lamar landon lara larissa lars lasse
  latoya laura lauren laurence laurens laurent laurie lea leandro lech leif leila lena lennart leo leon leonard leonardo leonhard leonie
  leonor leontine leopold lerato leroy lester leszek letizia levent lewis leyla liam lidia lieke lieselotte liisa lilian liliana lilli
  lilly linda lindsay linnea linus lisa lisbeth lise liselotte livia lorena lorenzo loretta lori loris lothar lotte louis louise loïc
  luana luc luca lucas lucia luciano lucie lucien lucienne lucille lucy lucyna ludger ludmila ludo ludovic ludwig luigi luis luisa luise
  luiz lukas lukasz luke lutz lydia lynda lynn lászló léa maaike maarit maarten macarena maciej maddalena madeleine mads mael magali
  magda magdalena maggie magnus mahesh mahmoud mahmut maija maik maike maja malcolm malgorzata malin malte mamadou mandy manfred manoj
  manolis manolo manon manuel manuela manuele mara marc marcel marcella marcello marcelo marcia marcin marco marcus mareike marek maren
  margaret margareta margarete margarida margarita margherita margit margot margrethe mari maria mariah marian mariana marianna marianne
  mariano maribel marie marie-claire marieke mariella marija marijke marika marilyn marina marine mario mariola marion marisa marisol
  marit marita marius marjan marjolaine marjolein marjorie marjut markku marko markus marleen marlene marlies marloes marlon marsha
  marta martha martijn martin martina martine martino marty marvin mary marzena massimo mateusz mathias mathieu mathilda mathilde mathis
  matilda matilde mats matteo matthew matthias matthieu matti mattias maud maureen mauri maurice mauricio maurizio mauro max maxime
  maximilian małgorzata meera mehdi mehmet meike melanie melina melinda melvin meral meret merete merethe merja merle mette mia micha
  michael michaela michaël michał michel michela michelangelo michele micheline michelle michiel mieke miguel mihai miika mikael mikaela
  mike mikkel mikko miklós milan milena miloš mindy minjun miranda mireille miriam mirja mirjam mirko miroslav mirosław mogens mohamed
  mohammad mohammed mohan moira monica monika monique montserrat morag morgane moritz morten moussa muhammad murat muriel mustafa myriam
  márton mónica nacho nadezhda nadia nadine nadja nadège nancy nanna naomi natalia natalie natascha natasha nathalie nathan nathaniel
  necla neha neil nele nelly nenad nerea nerissa nestor ngozi nguyen niall nicholas nick nicola nicolas nicole nicoletta niek niels
  niels-peter nikhil niklas nikola nikolai nikolaj nikolaos nikolaus nikolay nikos nils nina noah noel noemi noor nora norbert norman
  noémie nuno nuria núria octavio odd odette odile ola olaf olav ole oleg oleksandr olga oliver olivia olivier olufemi oluwaseun onur
  oriol orla oscar oskar osman oswald ottavia ottilie otto ousmane outi owen oyvind pablo paige paloma pamela panagiotis paolo pascal
  pascale patrice patricia patricio patrick patrik patrizia patryk paul paula paulina pauline paulo pawel paweł pedro pekka pelle
  penelope per-olof pernille perrine perry petar peter peter-paul petr petra petter philip philipp philippe philomena pia pierluigi
  piero pierre pierrette piet pieter pieternel pietro pim piotr pirjo pirkko polina pooja poul povl pradeep prakash pramod priya
  przemysław pål quentin quinn quirin rachael rachel rachid radek radosław rafael rafaël rafał rahul raimund rainer rajesh rakesh ralf
  ralph ramesh ramon ramona ramón randall randi randy raphael raphaël rasmus raul ravi raymond raúl rebecca rebecka regina reginald
  reijo reiner reinhard reinhold reinier rekha remco remi remigiusz renata renate renato rene rené renée reynold reza rhiannon rhonda
  rhys ricarda ricardo riccardo richard riikka riitta rika rikke rita ritu ritva robbert robert roberta roberto robin rocio rocío
  roderick rodney rodolfo rodrigo roel roelof rogelio roger rohit roland rolf rolf-dieter romain roman romano romy ronald ronan ronja
  ronnie ronny rosa rosalind rosalía rosamund rosanna rosemarie rosemary rosie rosita rosmarie rowena roxana roxane roy ruben rubén rudi
  rudolf ruediger rui rupert russell ruth ruud ryan ryszard régine rémi rüdiger sabina sabine sabrina sadie saida sally salma salvador
  salvatore sam samantha samir samira samuel samuli sandeep sander sandra sandrine sandro sanjay sanna sanne sara sarah saskia saverio
  saïd scott seamus sean sebastian sebastián sedat selim selina selma senta serena serge sergei sergey sergi sergio servane severin
  severine seán shane shannon sharon shaun shawn sheila shelby sheri sherri sherry shirley shreya siegfried sieglinde sigrid sigrun
  sigurd silas silje silke silvana silvia silvio simeon simon simona simone simonetta simão sinead sinéad siobhan siobhán sipho sirkka
  siv snezana sofia solange solveig solène sonia sonja sophia sophie soren stacey stacy stanislas stanislav stanisław stefan stefania
  stefanie stefano stefanos steffen stelios stella stephan stephane stephanie stephen steve steven stig stina stine stuart sture
  stéphane stéphanie sune sunghyun sunil sunita suresh susan susanne suvi suzanne svein sven svend svenja sverre svetlana swantje
  sylvain sylvia sylvie sylwia szymon sébastien séverine sören søren sławomir tadeusz taina takashi tamara tammy tamás tanguy tania
  tanja tapani tapio tara tarik tarja tatiana tatjana ted teemu tendai teodor teodora teresa terje terrence terri terry thabo thanh thea
  thelma theo theodor theodora theodore theodoros theresa therese thibault thibaut thierry thijs thilo thomas thomasz thor thorben thore
  thorsten thérèse tiago tiffany tiina tilda tilman tilmann tim timmy timo timothy timothée tina tobi tobias toby todd tom tomas tomasz
  tommy tomás tomáš toni tonje tonya torben tord tore torgeir toril torill torsten torunn tova tracey traci tracy traudl travis trevor
  tricia tristan trond trude trudy tuija tuomas tuula twan tyler ulf uli ulla ulrich ulrika ulrike unai undine urs ursel ursula ute uwe
  valdemar valentin valentina valentín valeria valerie valerio valtteri valérie vanessa vasile vassilis veikko velma vera verena vernon
  veronica vesa vicente vicki vickie victor victoria vidar viggo vijay vikas vikram viktor viktoria ville vilma vincent vincenzo vinod
  viola violeta violetta virginie virpi vito vittorio vivian viviane vivien vivienne vladimir volker volkmar václav waldemar walter
  waltraud waltraut wanda wayne wenche wendy werner wesley whitney wiebke wieland wiesław wilfried wilhelm wilhelmine willem willi
  william willy wilma wim winfried winston witold wojciech wojtek wolfgang wouter władysław xavier xenia xiaoming xiaoyu yann yannick
  yannis yasemin yasmin yasmine yavuz yiannis yifan ylva yngve yolanda yuki yuri yusuf yves yvette yvonne zacharias zachary zainab
  zbigniew zdzisław zeynep zita zoe zofia zoltán zsolt zsuzsanna zuzanna álvaro ángel éloïse émilie ömer øystein øyvind łukasz
`;
