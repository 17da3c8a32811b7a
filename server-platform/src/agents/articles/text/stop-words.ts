function words(list: string): readonly string[] {
  return list.trim().split(/\s+/);
}

/** Words without a topic: they neither find an article nor count against one. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  words(`
    along a about above after again all almost also although always am an and another any anybody anyone anything are arent
    as at be because been before behind being below between both but by can cannot cant could couldnt did didnt do does doesnt
    doing done dont down during each either else ever every few for from had hadnt has hasnt have havent having he her
    here hers him his how however i id if ill im in into is isnt it its itself ive just let lets me might more most must
    my myself no nor not now of off oh ok okay on once one only onto or other others our ours out over own perhaps per
    quite rather really same shall she should shouldnt so some somebody someone something somewhere still such than
    that thats the their theirs them then there theres these they theyre this those though through to too under until
    up upon us very via was wasnt we well were werent what whats whatever when whenever where wheres wherever whether
    which while who whom whos whose why will with within without wont would wouldnt yes yet you youre your yours
    yourself ya yeah yep nope hi hello hey dear please pls plz thanks thank thx cheers sorry
    u ur r n im gonna wanna gotta kinda sorta hmm um uh er erm lol s t d m re ve ll
  `),
);

/**
 * Everyday words that may carry a topic but mostly are packaging ("I was wondering whether you know ..."). When the
 * articles know them they count a little; when they do not, they are no sign of a foreign topic.
 */
export const FILLER_WORDS: ReadonlySet<string> = new Set(
  words(`
    able accept accepted accepts accepting actually ask asking advice advise recommend answer anyway anywhere back bad basically bit bring bringing call called carry home monday tuesday wednesday thursday friday saturday sunday
       come coming course day days deal definitely difference different easy end exactly explain expect far find fine
    first friend friends fun get gets getting give given go goes going gone good got great guess guys happen happens
    help hear hope hoping idea info information instead interested into issue keep kind know last later latest least leave
    let like little long look looking lot lots love made make makes making many matter may maybe mean means mention
    minute moment month months much my mum dad mother father wife husband son daughter partner mate family name need
    needed needs never new next nice nothing number old option options order ought part people person place plan
    planning point possible possibly problem properly put question questions quick quickly read reckon rid right said say
    says see seem seems show situation small soon sort speak sort stuff suppose sure take taking talk tell thing
    things think thinking thought today tomorrow tonight together told took tried try trying turn two three type
    understand use used using usually wait want wanted wants way ways week weeks weekend went wish wonder wondering
    work works worked working worry worried would year years yesterday morning afternoon evening allow allowed
    permit permitted policy rule rules available apply big small huge large short start started happy
    sir madam grateful inform kindly intend intending regarding concerning enquire enquiry inquire appreciate appreciated
    obliged greetings folks mate regards faithfully sincerely further furthermore moreover therefore
    dying stupid silly ridiculous bloody damn damned hell earth awful terrible horrible disgusting rude joke
    true unfortunately currently recently certain certainly hopefully trying several total altogether
  `),
);
