internal import CivilTime
internal import PurchaseModel

/// Dated entries by storefront, ready to be asked for every row.
struct TermsByStorefront<Entry> {
  private var entries: [Storefront?: [(from: CivilDay, entry: Entry)]] = [:]

  /// Sorts entries; of two for one storefront and day, which the catalogue refuses, the later.
  init(_ list: [(storefront: Storefront?, from: CivilDay, entry: Entry)]) {
    for item in list { entries[item.storefront, default: []].append((item.from, item.entry)) }
    for storefront in entries.keys {
      entries[storefront]?.sort { $0.from < $1.from }
    }
  }

  /// The entry in force: the storefront's own, else the one for all others.
  func entry(for storefront: Storefront?, on day: CivilDay) -> Entry? {
    if let storefront, let own = newest(entries[storefront], on: day) { return own }
    return newest(entries[nil], on: day)
  }

  private func newest(_ list: [(from: CivilDay, entry: Entry)]?, on day: CivilDay) -> Entry? {
    list?.last { $0.from <= day }?.entry
  }
}
