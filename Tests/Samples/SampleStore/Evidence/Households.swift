/// The households: chains that belong to one customer according to the exports, with their
/// storefronts.
///
/// Chains in one response belong to one account. The customer id of a response's record also joins
/// the chains of that customer. But an id of more than ``mostAccounts`` accounts is a placeholder,
/// and joins nothing. Other chains stay separate. Example: a customer without an id buys several
/// one-time products, but each response shows only one of them → each purchase is a household.
struct Households: Sendable {
  /// The storefront of a record or report, with its time.
  struct Place: Sendable {
    var time: Int64
    var storefront: Int
  }

  /// The currency of a report, with its time.
  struct Money: Sendable {
    var time: Int64
    var currency: WorldCurrency
  }

  /// The greatest number of accounts that one id may have; with more, the id is a placeholder.
  static let mostAccounts = 5

  private var parents: [Int64: Int64] = [:]
  private var chainOfID: [String: Int64] = [:]
  private var embedded: [[Int: Int64]]
  private var places: [Int64: [Place]] = [:]
  private var money: [Int64: [Money]] = [:]

  /// Reads all records and reports.
  init(_ accounts: [Account]) {
    embedded = Array(repeating: [:], count: accounts.count)
    var bearers: [String: Set<Int>] = [:]
    for account in accounts {
      for upload in account.uploads where upload.form.hasRecord && upload.sender == nil {
        bearers[account.customerID(at: upload.at), default: []].insert(account.number)
      }
    }
    for account in accounts {
      for upload in account.uploads {
        guard let first = join(account, upload) else { continue }
        if upload.report >= 0 { embedded[account.number][upload.report] = first }
        // What somebody else sends links nobody.
        let isOwn = upload.form.hasRecord && upload.sender == nil
        let id = isOwn ? account.customerID(at: upload.at) : ""
        guard !id.isEmpty, bearers[id, default: []].count <= Self.mostAccounts else { continue }
        join(first, chainOfID[id] ?? first)
        chainOfID[id] = first
      }
    }
    for account in accounts { addPlaces(of: account) }
    for root in places.keys {
      places[root]?.sort { ($0.time, $0.storefront) < ($1.time, $1.storefront) }
    }
  }

  /// Joins the chains of one response to a household, and returns the first of these chains.
  ///
  /// The result is `nil` if the response shows no chain.
  private mutating func join(_ account: Account, _ upload: AccountUpload) -> Int64? {
    let chains = account.visible(at: upload.at).map { account.purchases[$0].originalID }
    guard let first = chains.first else { return nil }
    for chain in chains { join(first, chain) }
    return first
  }

  private mutating func join(_ one: Int64, _ other: Int64) {
    let roots = (root(of: one), root(of: other))
    parents[roots.1] = roots.0
  }

  private func root(of chain: Int64) -> Int64 {
    var root = chain
    while let parent = parents[root], parent != root { root = parent }
    return root
  }

  private mutating func addPlaces(of account: Account) {
    for upload in account.uploads
    where upload.namesStorefront && upload.form.hasRecord && upload.sender == nil {
      guard let row = account.visible(at: upload.at).first else { continue }
      let root = root(of: account.purchases[row].originalID)
      places[root, default: []].append(
        Place(
          time: upload.at, storefront: upload.named ?? account.storefront(at: upload.at)))
    }
    for (index, report) in account.prices.enumerated() where !report.isForeign {
      guard let root = root(ofReport: index, in: account) else { continue }
      let time = report.time(in: account)
      if report.namesStorefront {
        places[root, default: []].append(
          Place(time: time, storefront: report.named ?? report.storefront))
      }
      money[root, default: []].append(Money(time: time, currency: report.displayed.currency))
    }
  }

  /// Finds the household of a report by the report's purchase, else by the response in the same
  /// record, else by the report's customer id.
  private func root(ofReport index: Int, in account: Account) -> Int64? {
    let report = account.prices[index]
    if report.purchase >= 0 { return root(of: account.purchases[report.purchase].originalID) }
    let chain = embedded[account.number][index] ?? chainOfID[report.customerID]
    return chain.map { root(of: $0) }
  }

  /// The storefronts of a chain's household, sorted by time.
  func places(ofChain chain: Int64) -> [Place] { places[root(of: chain)] ?? [] }

  /// The currencies in the reports of a chain's household, each with a time; not sorted by time.
  func money(ofChain chain: Int64) -> [Money] { money[root(of: chain)] ?? [] }

  /// Whether the exports show the storefront of a report or of its household.
  func isPlaced(_ index: Int, in account: Account) -> Bool {
    account.prices[index].namesStorefront
      || root(ofReport: index, in: account).map { places[$0] != nil } ?? false
  }
}

extension AccountReport {
  /// The time of a report according to the exports: the time of its purchase, else its own time.
  func time(in account: Account) -> Int64 {
    purchase >= 0 ? account.purchases[purchase].purchasedAt : reportedAt
  }
}
