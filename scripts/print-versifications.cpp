// Prints what libsword knows of its versifications, for scripts/make-numberings.mjs:
//
//     g++ scripts/print-versifications.cpp -I /usr/include/sword -lsword -o print && ./print > FILE
//
// Each line is a verse: versification, book and verse, the verse of the KJV, and the last one of
// several or 0.
#include <cstdio>
#include <versificationmgr.h>

int main() {
  auto *manager = sword::VersificationMgr::getSystemVersificationMgr();
  const auto *kjv = manager->getVersificationSystem("KJV");
  for (const auto &name : manager->getVersificationSystems()) {
    const auto *system = manager->getVersificationSystem(name.c_str());
    for (int at = 0; at < system->getBookCount(); at++) {
      const auto *book = system->getBook(at);
      for (int chapter = 1; chapter <= book->getChapterMax(); chapter++)
        for (int verse = 1; verse <= book->getVerseMax(chapter); verse++) {
          const char *to = book->getOSISName();
          int toChapter = chapter, toVerse = verse, last = verse;
          system->translateVerse(kjv, &to, &toChapter, &toVerse, &last);
          std::printf("%s\t%s %d:%d\t%s %d:%d\t%d\n", name.c_str(), book->getOSISName(), chapter, verse, to, toChapter,
                      toVerse, last);
        }
    }
  }
}
