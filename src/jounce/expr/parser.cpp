#include "jounce/expr/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>

#include "jounce/base/suggest.hpp"
#include "jounce/expr/name_source.hpp"
#include "jounce/expr/names.hpp"
#include "jounce/expr/syntax_tree.hpp"
#include "jounce/expr/tokens.hpp"
#include "jounce/expr/units.hpp"

namespace jounce {
namespace {

constexpr int kMaxNesting = 256;
constexpr int kMaxExpansion = 64;         // of names that stand for texts
constexpr std::size_t kMaxProblems = 20;  // of one text: beyond that it is no expression
constexpr const char* kProductHint = "a product is written with '*'";

// Recursive descent. Only parentheses recurse, at most kMaxNesting deep; chains of signs and of powers are loops.
class Parser {
 public:
  Parser(std::string_view text, const Scope& scope, std::span<const std::string> elsewhere)
      : tokens_(text),
        scope_(scope),
        elsewhere_(elsewhere),
        used_(scope.variables.size(), false),
        variables_(scope.variables) {}

  Result<Program> parse(std::string_view text, std::string_view derivative_by) {
    NodeId root = sum();
    if (!stopped_ && tokens_.current().kind != Token::Kind::end) expected("an operator or the end");
    if (!derivative_by.empty() && !any_error(problems_) && !told_elsewhere_) root = derivative(root, derivative_by);
    if (!any_error(problems_) && !told_elsewhere_) look_at_units(root);
    if (any_error(problems_) || told_elsewhere_) return sort_by_place(problems_), failed(std::move(problems_));
    Program program;
    program.text = text;
    program.variables = std::move(variables_);
    program.used = std::move(used_);
    program.tables = std::move(tables_);
    program.unit = std::move(unit_);
    tree_.compile(root, program);
    return {std::move(program), std::move(problems_)};
  }

 private:
  NodeId derivative(NodeId root, std::string_view by) {
    std::optional<ExpressionFault> fault;
    const auto of_variable = [&](Place variable) { return std::optional(variables_[variable] == by ? tree_.constant(1) : kNoNode); };
    const auto made = tree_.differentiate(root, of_variable, fault);
    if (fault) report({1, fault->column}, std::move(fault->sentence), "");
    return made.value_or(nothing());
  }

  // sum = product { (+|-) product }
  NodeId sum() {
    NodeId left = product();
    while (!stopped_ && (now().is('+') || now().is('-'))) {
      const Token sign = take();
      left = operation(sign.is('+') ? Op::add : Op::subtract, {left, product()}, sign.column);
    }
    return left;
  }

  // product = signed { (*|/) signed }
  NodeId product() {
    NodeId left = signed_power();
    while (!stopped_ && (now().is('*') || now().is('/'))) {
      const Token sign = take();
      left = operation(sign.is('*') ? Op::multiply : Op::divide, {left, signed_power()}, sign.column);
    }
    return left;
  }

  // signed = { +|- } power,   power = primary [ ^ signed ]
  // The whole chain -a^-b^c is read first, then put together from its right end.
  NodeId signed_power() {
    struct Link {
      int minus;  // column of the sign before it, 0 without one
      NodeId primary;
      int caret;  // column of the ^ after it
    };
    std::vector<Link> chain;
    do {
      const int minus = signs();
      const NodeId base = primary();
      if (stopped_) return base;
      chain.push_back({minus, base, now().column});
    } while (now().is('^') && (take(), true));

    NodeId right = chain.back().primary;
    if (chain.back().minus > 0) right = operation(Op::negate, {right}, chain.back().minus);
    for (std::size_t k = chain.size() - 1; k-- > 0;) {
      right = operation(Op::power, {chain[k].primary, right}, chain[k].caret);
      if (chain[k].minus > 0) right = operation(Op::negate, {right}, chain[k].minus);
    }
    return right;
  }

  // The column of the first minus when there is an odd number of them, else 0.
  int signs() {
    int first = 0;
    bool negative = false;
    for (; now().is('+') || now().is('-'); take()) {
      if (!now().is('-')) continue;
      if (first == 0) first = now().column;
      negative = !negative;
    }
    return negative ? first : 0;
  }

  NodeId primary() {
    const Token token = now();
    if (token.kind == Token::Kind::number) return take(), tree_.constant(token.number);
    if (token.kind == Token::Kind::name) {
      if (scope_.names != nullptr)
        if (const std::size_t length = scope_.names->name_with_dashes(tokens_.rest()); length > 0) tokens_.lengthen(length);
      const Token whole = take();
      return now().is('(') ? call(whole) : name(whole);
    }
    if (!token.is('(')) return expected("a number, a name or '('");
    if (!enter()) return nothing();
    const NodeId inside = sum();
    leave("an operator or ')'");
    return inside;
  }

  NodeId name(const Token& token) {
    const std::string_view text = token.text;
    for (std::size_t k = 0; k < scope_.variables.size(); ++k)
      if (scope_.variables[k] == text &&
          (expanding_ == 0 || text == "t")) {  // what stands for another text does not see the variables of this one
        if (!used_[k] && scope_.values.contains(text))
          problems_.push_back(
              warning({1, column_of(token)}, fmt::format("'{}' means the variable here, not the parameter", text)));
        used_[k] = true;
        return tree_.variable(k);
      }
    if (const Constant* constant = find_constant(text)) return tree_.constant(constant->value);
    if (find_function(text) != nullptr)
      return fail(token, fmt::format("'{}' is a function: expected '(' after it, found {}", text, called(now())));
    if (const auto value = scope_.values.find(text); value != scope_.values.end()) {
      if (scope_.used != nullptr) scope_.used->insert(value->first);
      return tree_.constant(value->second);
    }
    if (text == "t" && scope_.names == nullptr) return fail(token, "'t' cannot be used in a constant");
    const NameSource::Meaning meaning = scope_.names != nullptr ? scope_.names->of_name(text) : NameSource::Meaning{.unknown = true};
    if (!meaning.unknown) return mean(token, meaning);
    if (const Constant* constant = find_weak_constant(text)) return tree_.constant(constant->value);
    if (scope_.names != nullptr && text.find('.') != text.npos) return mean(token, meaning);
    std::vector<std::string> known = scope_.variables;
    for (const auto& [key, value] : scope_.values) known.push_back(key);
    known.insert(known.end(), elsewhere_.begin(), elsewhere_.end());
    for (const Constant& constant : all_constants()) known.emplace_back(constant.name);
    if (scope_.names != nullptr) std::ranges::move(scope_.names->plain_names(), std::back_inserter(known));
    return fail(token, fmt::format("unknown name '{}'{}", shortened(text), did_you_mean(text, known)),
                is_unit_word(text) ? "numbers are SI; factors to write after one are " + join_names(factor_names(), factor_names().size()) : "");
  }

  // function ( sum { , sum } ); the longest list is folded as it is read
  NodeId call(const Token& token) {
    if (const auto own = own_call(token)) return *own;
    const Function* function = find_function(token.text);
    if (function == nullptr) not_a_function(token);
    if (function == nullptr && scope_.names != nullptr && !scope_.names->reductions().empty()) return skip_arguments();
    if (!enter()) return nothing();
    std::array<NodeId, 3> argument{};
    int count = 0;
    if (!now().is(')')) {
      do {
        const NodeId value = sum();
        if (stopped_) return nothing();
        if (function != nullptr && function->arguments < 0 && count > 0)
          argument[0] = operation(function->op, {argument[0], value}, token.column);
        else if (count < 3)
          argument[static_cast<std::size_t>(count)] = value;
        ++count;
      } while (now().is(',') && (take(), true));
    }
    leave("an operator, ',' or ')'");
    if (stopped_ || function == nullptr) return nothing();
    if (function->arguments < 0) return count >= -function->arguments ? argument[0] : wrong_count(token, *function, count);
    if (count != function->arguments) return wrong_count(token, *function, count);
    if (count == 1) return operation(function->op, {argument[0]}, token.column);
    if (count == 2) return operation(function->op, {argument[0], argument[1]}, token.column);
    return operation(function->op, {argument[0], argument[1], argument[2]}, token.column);
  }

  // ---- names of a mechanism, and functions of them -----------------------------------------------------------------------

  NodeId mean(const Token& token, const NameSource::Meaning& meaning) {
    if (meaning.variable) return found(*meaning.variable);
    if (meaning.text) return expand(token, *meaning.text);
    if (meaning.trouble.empty()) return told_elsewhere_ = true, nothing();
    report({1, column_of(token)}, meaning.trouble, meaning.hint);
    return nothing();
  }

  NodeId found(const std::string& key) {
    const auto known =
        std::find(variables_.begin() + static_cast<std::ptrdiff_t>(scope_.variables.size()), variables_.end(), key);
    const auto k = static_cast<std::size_t>(known - variables_.begin());
    if (known == variables_.end()) variables_.push_back(key), used_.push_back(true);
    if (k >= kConstant - Program::kMaxRegisters) stopped_ = true;  // more than there are places; kMaxText does not allow it
    return tree_.variable(k);
  }

  // What a name stands for, read as if it were written there; whatever is wrong is wrong at the name.
  NodeId expand(const Token& token, const std::string& text) {
    if (expanding_ >= kMaxExpansion)
      return fail(token, fmt::format("names stand for each other more than {} deep", kMaxExpansion));
    const Tokens outside = tokens_;
    const int column = column_of(token), before = expansion_column_;
    texts_.push_back(text);
    tokens_ = Tokens(texts_.back());
    expansion_column_ = column, ++expanding_;
    const NodeId inside = sum();
    if (!stopped_ && now().kind != Token::Kind::end) expected("an operator or the end");
    expansion_column_ = before, --expanding_;
    tokens_ = outside;
    return inside;
  }

  // magnitude, rate, lookup, distance, …; nothing: an ordinary function. Only here are they more than names.
  std::optional<NodeId> own_call(const Token& token) {
    if (scope_.names != nullptr)
      if (const auto whole = reduction(token)) return whole;
    if (token.text == "magnitude") return magnitude(token);
    if (scope_.names == nullptr) return std::nullopt;
    if (token.text == "rate") return rate(token);
    if (token.text == "lookup") return lookup(token);
    if (scope_.names->takes_names(token.text)) return of_names(token);
    return std::nullopt;
  }

  // One number of a whole run, of what stands in the parentheses; nothing: an ordinary function, as max is with two arguments.
  std::optional<NodeId> reduction(const Token& token) {
    const std::vector<std::string> known = scope_.names->reductions();
    if (std::ranges::find(known, token.text) == known.end()) return std::nullopt;
    Tokens behind = tokens_;
    const auto arguments = take_arguments(behind);
    if (!arguments) return tokens_ = behind, expected("',' or ')'");
    if (!scope_.names->reduces(token.text, arguments->size())) return std::nullopt;
    const char* end = behind.rest().data();
    const std::string_view call(token.text.data(), static_cast<std::size_t>(end - token.text.data()));
    tokens_ = behind;
    Result<std::string> number = scope_.names->reduced({call.substr(0, call.find_last_of(')') + 1), token.column}, token.text, *arguments);
    for (Problem& problem : number.problems()) problems_.push_back(std::move(problem));
    return number ? found(*number) : nothing();
  }

  NodeId magnitude(const Token& token) {
    if (!enter()) return nothing();
    NodeId squares = kNoNode;
    int count = 0;
    do {
      const NodeId part = sum();
      if (stopped_) return nothing();
      const NodeId square = operation(Op::multiply, {part, part}, token.column);
      squares = ++count == 1 ? square : operation(Op::add, {squares, square}, token.column);
    } while (now().is(',') && (take(), true));
    leave("an operator, ',' or ')'");
    if (stopped_) return nothing();
    if (count < 2) return fail(token, fmt::format("'magnitude' takes 2 or more arguments, found {}", count));
    return operation(Op::sqrt, {squares}, token.column);
  }

  NodeId rate(const Token& token) {
    if (!enter()) return nothing();
    const NodeId of = sum();
    leave("an operator or ')'");
    if (stopped_ || told_elsewhere_ || any_error(problems_)) return nothing();
    return rate_of(of, token);
  }

  NodeId rate_of(NodeId of, const Token& token) {
    std::optional<ExpressionFault> fault;
    bool said = false;
    const auto of_variable = [&](Place variable) -> std::optional<NodeId> {
      const std::string key = variables_[variable];
      if (key == "t") return tree_.constant(1);
      if (variable < scope_.variables.size()) {
        said = true, fail(token, fmt::format("the rate of '{}' is not known here", key));
        return std::nullopt;
      }
      const NodeId node = mean(token, scope_.names->rate_of(key));
      said = stopped_ || told_elsewhere_ || any_error(problems_);
      return said ? std::nullopt : std::optional(node);
    };
    const auto made = tree_.differentiate(of, of_variable, fault);
    if (fault && !said) return fail(token, fmt::format("'rate': {}", fault->sentence));
    return made.value_or(nothing());
  }

  // lookup('gas.csv', x), lookup('gas.csv', x, period), lookup('f.csv', x, column='pressure', period=4*pi)
  NodeId lookup(const Token& token) {
    constexpr const char* kForm = "lookup('file.csv', x), and after it a period, or period=… and column='…'";
    if (!enter()) return nothing();
    NameSource::TableQuestion question;
    if (now().kind != Token::Kind::text)
      return fail(now(), fmt::format("expected the file of a table in single quotes, found {}", called(now()))), skip_call();
    question.path = take().text;
    if (!now().is(',')) return expected("',' and what the table is over");
    take();
    const NodeId over = sum();
    bool named = false;
    while (!stopped_ && now().is(',')) {
      take();
      const Token key = now();
      const std::string_view rest = tokens_.rest();
      const std::size_t after = key.kind == Token::Kind::name ? rest.find_first_not_of(" \t", key.text.size()) : rest.npos;
      const bool is_key = after != rest.npos && rest[after] == '=';
      if (is_key) take(), take();
      if (is_key && key.text == "column") {
        if (now().kind != Token::Kind::text) return expected("the heading of a column in single quotes");
        question.column = take().text;
      } else if (is_key ? key.text == "period" : !named) {
        const NodeId period = sum();
        if (stopped_) return nothing();
        if (tree_.node(period).kind != Node::Kind::constant || !(tree_.node(period).value > 0))
          return fail(key, "the period of a table must be a constant greater than 0"), skip_call();
        question.period = tree_.node(period).value;
      } else {
        fail(key, fmt::format("'lookup' is written {}", kForm));
        return skip_call();
      }
      named = true;
    }
    leave("an operator, ',' or ')'");
    if (stopped_) return nothing();
    std::string trouble;
    const auto table = scope_.names->table(question, trouble);
    if (table == nullptr && trouble.empty()) return told_elsewhere_ = true, nothing();
    if (table == nullptr) return fail(token, fmt::format("'{}': {}", shortened(question.path), trouble));
    tables_.push_back(table);
    std::optional<ExpressionFault> fault;
    const NodeId node = tree_.lookup(*table, over, 0, column_of(token), fault);
    if (fault) report({1, fault->column}, std::move(fault->sentence), "");
    return node;
  }

  // What stands in a call that means nothing is not looked at: it may be right in the call that was meant.
  NodeId skip_arguments() {
    if (!take_arguments(tokens_)) return expected("',' or ')'");
    return nothing();
  }

  // What follows is not looked at any more.
  NodeId skip_call() { return stopped_ = true, nothing(); }

  NodeId of_names(const Token& token) {
    if (!enter()) return nothing();
    std::vector<std::string> names;
    do {
      if (now().kind != Token::Kind::name) return expected("the name of a point or a body");
      if (const std::size_t length = scope_.names->name_with_dashes(tokens_.rest()); length > 0) tokens_.lengthen(length);
      names.emplace_back(take().text);
    } while (now().is(',') && (take(), true));
    leave("',' or ')'");
    if (stopped_) return nothing();
    return mean(token, scope_.names->of_call(token.text, names));
  }

  NodeId wrong_count(const Token& token, const Function& function, int found) {
    const int least = std::abs(function.arguments);
    return fail(token, fmt::format("'{}' takes {}{} argument{}, found {}", token.text, least,
                                   function.arguments < 0 ? " or more" : "", least == 1 ? "" : "s", found));
  }

  void not_a_function(const Token& token) {
    const std::string_view text = token.text;
    if (std::ranges::find(scope_.variables, text) != scope_.variables.end() || scope_.values.contains(text) ||
        find_constant(text)) {
      fail(token, fmt::format("'{}' is not a function", shortened(text)), kProductHint);
      return;
    }
    std::vector<std::string> known;
    for (const Function& function : all_functions()) known.emplace_back(function.name);
    if (scope_.names != nullptr) known.insert(known.end(), {"distance", "angle", "lookup", "rate"});
    if (scope_.names != nullptr) std::ranges::move(scope_.names->reductions(), std::back_inserter(known));
    known.emplace_back("magnitude");
    const std::vector<std::string> whole = scope_.names == nullptr ? std::vector<std::string>() : scope_.names->reductions();
    const std::string guess = did_you_mean(text, known);
    std::string hint = whole.empty() ? "" : "one number of a whole run is " + join_names(whole);
    if (guess.empty() && hint.empty()) hint = "the functions are " + join_names(known, known.size());
    fail(token, fmt::format("unknown function '{}'{}", shortened(text), guess), hint);
  }

  static std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
    const auto nearest = nearest_name(word, known);
    return nearest ? fmt::format(" (did you mean '{}'?)", *nearest) : "";
  }

  // Past a '(', one level deeper.
  bool enter() {
    const Token open = take();
    if (++nesting_ <= kMaxNesting) return true;
    fail(open, fmt::format("parentheses are nested more than {} deep", kMaxNesting));
    stopped_ = true;
    return false;
  }

  // Past the ')'.
  void leave(const char* wanted) {
    --nesting_;
    if (stopped_) return;
    if (now().is(')'))
      take();
    else
      expected(wanted);
  }

  NodeId operation(Op op, std::initializer_list<NodeId> operands, int column) {
    if (stopped_) return nothing();
    std::optional<ExpressionFault> fault;
    if (expansion_column_ > 0) column = expansion_column_;
    const NodeId node = tree_.operation(op, operands, column, fault);
    if (fault) report({1, fault->column}, std::move(fault->sentence), "");
    if (tree_.node(node).size <= Program::kMaxOperations) return node;
    report({1, column},
           fmt::format("an expression has at most {} operations, with what its names stand for", Program::kMaxOperations), "");
    stopped_ = true;
    return node;
  }

  [[nodiscard]] int column_of(const Token& token) const { return expansion_column_ > 0 ? expansion_column_ : token.column; }

  // Refuses what cannot be meant, a length and an angle in one sum, and finds the unit of the whole.
  void look_at_units(NodeId root) {
    if (scope_.names == nullptr) return;
    std::vector<std::string> units;
    for (std::size_t k = 0; k < variables_.size(); ++k)
      units.push_back(k < scope_.variables.size() ? "" : scope_.names->unit_of(variables_[k]));  // t is a number to most: sin(t)
    UnitCheck checked = check_units(tree_, root, units);
    for (ExpressionFault& wrong : checked.wrong) report({1, wrong.column}, std::move(wrong.sentence), "");
    unit_ = std::move(checked.unit);
  }

  // Nothing to be said here: the other place has said it.
  static Result<Program> failed(Problems problems) {
    if (!any_error(problems)) problems.push_back(error({1, 1}, std::string(kToldElsewhere)));
    return problems;
  }

  // A mistake in the grammar: what follows cannot be trusted, so reading stops.
  NodeId expected(const char* wanted) {
    if (stopped_) return nothing();
    const Token& token = now();
    const bool operand_follows = token.kind == Token::Kind::number || token.kind == Token::Kind::name || token.is('(');
    if (token.is('=')) {
      if (scope_.names == nullptr) fail(token, "unexpected character '='");
      else fail(token, fmt::format("expected {}, found '='", wanted), "what is to be 0 is written without it: a = b as a - (b)");
      return stopped_ = true, nothing();
    }
    const bool number_and_name =
        token.kind == Token::Kind::wrong && is_digit(token.text.front()) && begins_name(token.text.back());
    const char* hint = operand_follows || number_and_name ? kProductHint : token.is('*') ? "a power is written with '^'" : "";
    if (token.kind == Token::Kind::wrong)
      fail(token, describe_wrong(token), hint);
    else
      fail(token, fmt::format("expected {}, found {}", wanted, called(token)), hint);
    stopped_ = true;
    return nothing();
  }

  NodeId fail(const Token& token, std::string sentence, std::string hint = "") {
    report({1, column_of(token)}, std::move(sentence), std::move(hint));
    return nothing();
  }

  void report(Where where, std::string sentence, std::string hint) {
    problems_.push_back(error(where, std::move(sentence), std::move(hint)));
    if (problems_.size() >= kMaxProblems) stopped_ = true;
  }

  // Stands where a value should be; never compiled, and not a constant, so nothing is folded with it.
  NodeId nothing() { return tree_.variable(0); }

  const Token& now() const { return tokens_.current(); }
  Token take() {
    const Token token = now();
    tokens_.next();
    return token;
  }

  Tokens tokens_;
  const Scope& scope_;
  std::span<const std::string> elsewhere_;
  std::vector<bool> used_;
  std::vector<std::string> variables_;  // those of the scope, then those of the mechanism as they are met
  std::vector<std::shared_ptr<const LookupTable>> tables_;
  std::deque<std::string> texts_;  // that names stand for
  int expanding_ = 0, expansion_column_ = 0;
  bool told_elsewhere_ = false;  // something has no meaning, which has been reported where it was written
  std::string unit_;
  SyntaxTree tree_;
  Problems problems_;
  int nesting_ = 0;
  bool stopped_ = false;
};

}  // namespace

Result<Program> parse_program(std::string_view text, const Scope& scope, std::span<const std::string> elsewhere, std::string_view derivative_by) {
  if (text.size() > Program::kMaxText)
    return error({1, 1}, fmt::format("an expression has at most {} characters, found {}", Program::kMaxText, text.size()));
  return Parser(text, scope, elsewhere).parse(text, derivative_by);
}

}  // namespace jounce
