/** The string table of an index, as it stands in the module (assembly/sites/string-table.ts): each string with a space after it. */
export const SYMBOLS =
	"-s - .aspx .html .jsp .pdf .php .txt . / 0 1 2 3 4 5 6 7 8 9 = ? A B C D E F G I L M N O P R S T " +
	"U _ admin/ age ate ac ad al an ap ar as at a be bo b count comm cont cat ces cgi ca ce ch cl co " +
	"cr c der d/ de di do d earch ent est e/ ea ec ed em en er es et e fil for fe fi f ges/ ge gi g " +
	"he ho h ing ic id ie il in is it i j k log la le li ll lo l ment ma me mo m na nd ne nt n out ol " +
	"om on or ou o port pla pri pro p/ pa pe pl po p q robots.t res r/ ra re ri ro r search/ s.html " +
	"search ser/ sta s- s/ se si ss st s tion ter the t/ ta te ti to ts t ult um up ur us ut u ve vi " +
	"v w x y/ y z ";
