/** Given names that are common where statements come from, in lower case; none that is also a word of payments. */
export const GIVEN_NAMES: ReadonlySet<string> = new Set(
  `
  aaron adam adrian agnieszka aisha alan albert alejandro alessandro alex alexander alexandra alfred ali alice alina alison amanda amelia
  amy ana anders andrea andreas andrew andrzej angela anita anja anke ann anna anne annette annika anthony antoine antonio arthur astrid
  barbara beatrice ben benjamin bernd bernhard birgit björn bob brenda brian bruno camille carina carl carla carlos carmen carol caroline
  catherine cecilia charles charlotte christian christina christine christoph christopher claire clara claudia colin cornelia cristina
  daan daniel daniela david deborah denise dennis diana diego dieter dirk dominik donald doris edward elena elias elisabeth elizabeth ella
  ellen emily emma emmanuel eric erik erika ernst esther eva fabian fatima felix fernando fiona florian francesca francesco francisco
  frank françois frans franz fred frederik friedrich gabriele gareth gary geert george georg gerald gerd gerhard gert giovanni giulia
  giuseppe graham greta guillaume günter hanna hannah hans harald harry heather heike heinz helen helena helga helmut hendrik henri henrik
  henry herbert hugo ian ines inge ingrid irene iris isabel isabelle jack jacob jacqueline jakob jakub james jane janet javier jean
  jennifer jens jeroen jessica jim joan joanna johan johanna johannes john jonas jonathan jorge josé josef joseph joshua juan judith julia
  julian julie jürgen karen karin karl karolina katarzyna kate katharina katherine katrin keith kelly kenneth kerstin kevin kim klaus
  krzysztof lars laura lauren lea léa leon leonie lena lewis liam linda lisa lorenzo louis louise luca lucas lucia lucy luis lukas maarten
  magdalena manfred manuel manuela marc marco marcel marcus margaret margit maria marie marina mario marion marta martha martin martina
  mary mateusz mathias matthew matthias maurice max maximilian melanie mia michael michaela michał michel michelle miguel mike mohamed
  mohammed monika moritz nadine nadja nancy natalie nathalie nicholas nick nicola nicolas nicole niels nina noah nora norbert oliver
  olivia olivier oscar otto pablo paolo patricia patrick paul paula pedro peter petra philip philipp philippe pierre pieter piotr rachel
  rainer ralf ralph rebecca regina reinhard renate richard rita robert roberto roger roland rolf ronald rosa rosemary rudolf ruth ryan
  sabine sam samantha samuel sandra sara sarah sebastian silke silvia simon simone sofia sophia sophie stefan stefanie stephan stephanie
  stephen steve steven stuart susan susanne sven sylvia tanja teresa theo theresa thomas thorsten tim timothy tobias tom tomasz torsten
  ulrich ulrike ursula ute valentina vanessa vera verena veronica victor victoria vincent viola walter werner wilhelm willem william
  wolfgang xavier yasmin yvonne zoe zofia
`
    .trim()
    .split(/\s+/),
);
